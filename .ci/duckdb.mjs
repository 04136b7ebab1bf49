// Runs SQL in DuckDB: takes {"folder": …, "queries": [SQL, …]} and prints for each query its columns with their
// types and its rows, or the error.
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const { folder, queries } = JSON.parse(readFileSync(0, 'utf8'));
process.chdir(folder);
const connection = await (await DuckDBInstance.create()).connect();
const out = [];
for (const sql of queries) {
  try {
    const read = await connection.runAndReadAll(sql);
    out.push({ columns: read.columnNames(), types: read.columnTypes().map(String), rows: read.getRowsJson() });
  } catch (e) {
    out.push({ error: String(e) });
  }
}
console.log(JSON.stringify(out));
