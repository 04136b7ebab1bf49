// The types that modules share. Names and Columns are JSON written by Go:
// page/data and export.ColumnData.

type Results = import("./data.js").Results;
type Rows = import("./rows.js").Rows;
type Portfolio = import("./advise.js").Portfolio;
type Axis = import("./chart/axis.js").Axis;

/** A style sheet is imported as text. */
declare module "*.css" {
  const text: string;
  export default text;
}

// advise.js

/** The layout of results. */
interface Layout {
  runs: number[];
  rows: string; // label of the variants
  load: string; // label of the loads
  size: string; // label that holds the size
  baseline?: string; // the variant that others are compared with
  judge?: Record<string, string>; // load → deciding metric
}

/** A bound on a metric, on a label, or on the memory of weights and cache. */
interface Limit {
  name: string;
  kind: "metric" | "label" | "quality" | "memory";
  value: number;
  text: string; // as written
  better: "higher" | "lower";
  task?: string; // for a quality
  streams?: number; // for memory: number of requests with a cache at the same time; default: that of the load
}

/** A variant at a load. */
interface Verdict {
  rule: "" | "aside" | "dominated" | "fastest" | "size-only" | "balance";
  by: number; // the variant that outdoes it, −1 for none
  on: boolean; // on the Pareto frontier of size and speed
  held: boolean; // there is a sound baseline
  figure: Figure | null; // of the deciding metric
}

/** The result of checking a limit for a variant. */
interface Test {
  limit: Limit;
  state: "kept" | "over" | "unmeasured" | "weak";
  figure: Figure | null;
  memory?: Memory | null;
}

interface Memory {
  weights: number; // in bytes
  perToken: number;
  tokens: number; // of a request
  streams: number;
  total: number;
}

/** The reason why a variant is not eligible; "kept" if it is. */
interface Eligibility {
  why: "kept" | "unmeasured" | "unsized" | "aside" | "over" | "unknown";
  tests: Test[]; // for every limit
}

/** The decision at a load. */
interface Decision {
  best: number; // −1 if no variant is eligible
  sound: number; // number of variants that are not excluded
  choices: Eligibility[]; // for each variant
}

// bounds.js

/** A bound on a metric or numeric label, in the unit shown. */
type Bound = {name: string, sign: string, value: number};

// chart/axis.js

/** a tick without a label is a minor one */
type Tick = {at: number, label: string};

/** the minimum distance of labels */
type Room = (a: string, b: string) => number;

// chart/draw.js

/** the quantity of an axis */
interface Measure {
  title: string;
  unit?: string; // "1" means none
  scale?: "" | "linear" | "log"; // "": chosen by the values
  better?: "higher" | "lower" | "";
}

interface Point {
  x?: number;
  y?: number;
  label?: string; // its name; unused in rows and lines
  x_text?: string; // the values with their known digits
  y_text?: string;
  missing?: boolean;
  quarantined?: boolean; // drawn hollow
  warned?: boolean; // drawn with a ring
  dominated?: boolean; // drawn grey
  run?: string; // id of its run
}

interface Series {
  name: string;
  key?: string; // identifies it in the explorer, in every language
  style?: number; // colour and shape, counted from 1; 0: by position
  points: Point[]; // in rows one for each category
}

interface Spec {
  kind: "scatter" | "lines" | "curves" | "dots";
  along?: string; // label along which the points of curves are joined; its values label the points
  title?: string;
  alt: string;
  notes?: string[];
  x?: Measure;
  y: Measure; // of the values, also in rows
  frontier?: number[]; // indices of points over all series, in drawing order
  categories?: string[];
  series: Series[];
}

interface Look {
  height?: number; // of the plot of a scatter or lines
  named?: number; // maximum number of points with a name
  colours?: number; // number of colours before shapes distinguish series
}

// chart/drawing.js

type Box = {x0: number, y0: number, x1: number, y1: number};

/** A value that can be pointed at. */
interface Mark {
  x: number; // its centre, in layout units
  y: number;
  reach: number; // distance from the centre in which it is hit
  box?: Box; // the area of a bar or a cell
  panel: number; // index of the small chart that contains it
  title: string; // the item that it is a value of
  series: string;
  of: string; // the series as named on its card; "" if the title names it
  rows: [string, string][]; // names and figures
  doubts: string[];
  beside: string; // further text
  run: string; // id of its run
  colour: Record<string, string>; // attributes that fill elements with its colour
}

/** a series in the legend, which can be hidden */
type Key = {name: string, box: Box, off: boolean};

/** an area for zooming into values */
type Plot = {box: Box, x: Axis | null, y: Axis | null};

/** the values between which the axes are shown */
type View = {x?: [number, number], y?: [number, number]};

type Drawing = {svg: SVGSVGElement, width: number, height: number, marks: Mark[], keys: Key[], plots: Plot[]};

/** The reader's choices for a chart. */
type ChartChoice = {narrow: boolean, width: number, hidden: ReadonlySet<string>, view: View};

/** maps a place in the whole to a place in the part */
type Move = (v: number) => number;

// chart/menu.js

/** The file formats of a chart. */
type Form = "png" | "svg" | "csv";

type Column = {head: string, numeric: boolean, of: (m: Mark) => string};

// chart/interact.js

type Draw = (choice: ChartChoice) => Drawing;

interface MountOptions {
  onOpen?: (run: string) => void; // click or Enter on a mark with a run
  fluid?: boolean; // it is drawn at its displayed width
  name?: string; // of its files, without extension
  opens?: string; // text about a click on a mark with a run; by default that it opens the run
  onView?: (view: View, hidden: ReadonlySet<string>, going?: boolean) => void; // the reader has zoomed, perhaps continuously, or switched series
  onPoint?: (run: string) => void; // the reader points at a mark of a run; "" for none
  view?: View; // the initial view
  hidden?: Iterable<string>;
  menu?: HTMLElement; // container of its menu; default: over the chart
  embed?: string; // address of its page for embedding
  csv?: string; // the figures behind it
  address?: (view: View, hidden: ReadonlySet<string>) => string; // its address with the current view
}

/** A chart in a page. */
interface Mounted {
  update: (draw: Draw, view?: View, hidden?: Iterable<string>) => void; // shows another chart; series with the same names stay hidden unless others are given
  highlight: (run: string | null) => void; // highlights the marks of a run, e.g. for a row of a table
  destroy: () => void; // leaves the container empty
}

// compare.js

type Block = {line: number, lines: string[], broken?: boolean}; // page/data.Block

// comparison.js

/** What the reader has chosen, as in the address: a run, a set, which is all repeats of a run, or a variant, which is all
 * runs like it at whatever load. */
type Chosen = {kind: "run" | "set" | "variant", id: string};

interface Compared {
  chosen: Chosen[]; // each with its own id
  base: string; // id of the one that others are compared with; "" for the first
  family?: string; // latency whose percentiles are drawn; "" for the first
  differing?: boolean; // show only raw lines that differ
}

/** One of the compared sides. */
interface Side {
  chosen: Chosen;
  runs: number[];
}

/** A label with its values on each side: one, or several if repeats differ. */
type LabelRow = {name: string, values: string[][]};

/** The labels in which sides differ. */
interface Differences {
  settings: LabelRow[]; // in which compared runs must agree
  others: LabelRow[];
  same: LabelRow[];
}

/** A metric of a side at a load, compared with the baseline. */
interface Cell {
  value: Value | null; // null if missing
  judgement: Judgement | null; // null for the baseline itself
}

/** A metric of all sides. */
interface MetricRows {
  name: string;
  overall: (Overall | null)[]; // for each side
  rows: {load: string, cells: Cell[]}[];
  rank: number;
  size: number; // the largest difference
}

interface Compilation {
  variants: boolean; // compared load by load
  judged: (Judged | null)[]; // for each side against the baseline; null for the baseline
  differ: MetricRows[]; // the largest difference first
  same: MetricRows[];
}

// copy.js

interface Sheet {
  head: string[];
  numeric: boolean[]; // for each column
  rows: string[][];
}

// data.js

/** The data about results in a page (page/data.Names). */
interface Names {
  root: string; // link to the site's root
  home: string; // link to the language's folder
  data: string[]; // names of the data scripts
  paths: Record<string, string>; // paths of runs whose id is not their path
  labels: Record<string, string>; // titles
  values: Record<string, Record<string, string>>; // titles of values, if they have any
  orders: Record<string, string[]>; // order of values that are not sorted by name
  styles: Record<string, Record<string, number>>; // colours and shapes of values in charts
  colours: number; // number of colours for series before shapes distinguish them
  units: Record<string, string>; // of numeric labels
  metrics: Record<string, MetricName>;
  families: Record<string, string>; // names of latencies without a statistic
  groups: {title: string, metrics: string[]}[]; // of metrics, in their order
  columns: string[]; // shown by default
  offered: string[]; // labels with several values
  figured: string[]; // the offered labels with several numeric values
  ranges: {family: string, metrics: string[]}[]; // latencies with their statistics, for charts of ranges
  usual: {chart: State["chart"], x: string, y: string, along: string, by: string, group: string, family: string}; // the default view of the explorer
  settings: string[]; // labels in which compared runs must agree
  workload: string[]; // labels that runs on one frontier share
  conditions: string[]; // labels that distinguish conditions, in order
  noise: number; // relative difference that single runs cannot show
  limits: Record<string, string>; // of the site's SLO
  bases?: Record<string, string>; // model → base model, if known
  compare?: CompareRules; // only on pages that compare runs
}

/** The rules for comparing two sides (page/data.Comparing). */
interface CompareRules {
  subjects: string[]; // labels by which runs can be compared; the first takes precedence
  explains: Record<string, string[]>; // subject → settings that follow from it
  settings: string[];
  plain: string[]; // settings that are numbers or switches
  also: string[]; // further labels in which compared runs must agree
  named: string[]; // labels that name a load
  conditions: string[]; // labels that make up a load
  tolerance: number; // relative difference in the length of answers that is ignored
  headline: string[]; // metrics of the sentence at the top
  noise: Record<string, number>; // metric → threshold
  inside: Record<string, string>; // names of metrics and settings inside a sentence
}

interface MetricName {
  title: string;
  unit?: string;
  better?: "higher" | "lower";
  per?: number; // divisor of values for the unit shown
  decimals?: number; // decimals of such values
}

/** Groups of results as columns (export.ColumnData); columns that are one text are packed. */
interface Columns {
  groups: [string, number][]; // names, and the number of results in each
  ids: string[];
  sets: string;
  incidental: string[]; // labels in which repeats may differ
  partial: number[];
  failed: number[];
  excluded: number[];
  auxiliary: number[];
  blocks?: string; // for each result the number of the script with its raw text
  checks: Check[];
  labels: Record<string, {values: string[], figures?: (number | null)[], at: string}>;
  metrics: Record<string, string>;
}

/** The finding about some results. */
type Check = {id: string, severity: string, metrics?: string[], runs: number[]};

/** A label of all results. */
interface LabelColumn {
  values: string[];
  figures: Map<string, number | null>; // numbers in values
  at: Int32Array; // index of the value of each result, −1 for none
  plainly: string[]; // the searchable text of each value: itself and its title
  sorted?: string[]; // the values in order, once needed
}

/** A metric of all results. */
interface MetricColumn {
  cells: string[]; // as packed; "" for none
  numbers: Float64Array; // NaN for none
  samples: Float64Array | null; // of each result, if the metric is a percentile
  least: number; // minimum number of samples (audit.Samples)
}

/** A metric of some repeats. */
interface Figure {
  value: number; // median of the runs that count
  values: number[]; // of the runs that count; excluded repeats count only if there are no others
  text: string; // as written
  aside: boolean;
  doubted: boolean; // a warning concerns it
  weak: boolean; // a percentile of too few samples
  run: number; // the run of the median
}

// deployment.js

interface Wish {
  rows: string; // label of the variants; "" for the default
  load: string; // label of the loads; "" for the default
  at: string; // the load that is decided; "" for the first
  where: Record<string, string>; // label → the value of the runs; "" if the reader chose any
  limits: Record<string, string> | null; // name → limit as written; null for those of the site
  task: string; // task of quality; "" for the first
  streams: number; // number of requests with a cache at the same time; 0 for that of the load
  judge: string; // deciding metric; "" for the default
  baseline: string; // variant; "" for none
}

/** A label by which runs are selected. */
interface Field {
  label: string;
  values: string[];
  value: string; // "" for any
}

/** The layout of the results for a wish. */
interface Plan {
  rows: string;
  rowsOffered: string[];
  load: string;
  loadsOffered: string[];
  fields: Field[];
  portfolio: Portfolio;
  l: number; // index of the load
}

// judge.js

/** The verdict on two figures of a metric. */
type Ruling = "worse" | "better" | "uncertain" | "changed" | "only-a" | "only-b" | "same";

/** A metric of repeats. */
interface Value {
  runs: number[]; // the runs that have it and count
  values: number[];
  median: number;
  nearest: number; // the run with the median, or with the lower of the two middle values
  excluded: number; // number of runs left out
  reason: string[]; // the reason why it does not count, as a message; empty if it counts
}

/** A metric of a pair. */
interface Judgement {
  name: string;
  a: Value | null;
  b: Value | null;
  beside: Comparison | null;
  q: number | null; // p adjusted for the number of tests
  ruling: Ruling;
  ground: string;
  why: string[]; // of an uncertain verdict, as a message
  size: number; // relative to noise
}

/** Runs of both sides with the same load. */
type Match = {a: number[], b: number[], name: string};

/** The summary of a metric over all pairs. */
interface Overall {
  name: string;
  figures: Judgement[];
  ruling: Ruling; // "changed" if pairs contradict each other
  size: number;
  better: number; // pairs in which B is better
  worse: number;
  ratio: number; // the geometric mean, 0 if there is none
  low: number;
  high: number;
  pairs: number; // number of pairs in which both figures count
}

interface Judged {
  subject: string; // the compared label
  pairs: (Match & {figures: Judgement[], changed: string[]})[];
  overall: Overall[]; // the largest difference first
  changed: string[]; // settings in which some pair differs
}

// find.js

/** The search index of a site: JSON written by page/find. */
interface FindIndex {
  words: Record<string, string>;
  kinds: FindKind[];
  runs: string[]; // names of the data scripts of the results
  names: {paths: Record<string, string>, values: Record<string, Record<string, string>>}; // of the results
}

// grid.js

/** The contents of a row of the table. */
type Item = {kind: "heading", group: Group} | {kind: "row", row: Row, group: Group} | {kind: "mean", group: Group};

/** The reader's actions in the table. */
interface Actions {
  sort: (sort: string) => void;
  base: (id: string) => void; // sets the baseline, none for ""
  pick: (id: string, on: boolean) => void;
  point: (row: Row | null) => void;
}

// match.js

interface FindKind {
  title: string;
  entries: [title: string, href: string, more?: string][]; // href is relative to the language's folder
}

/** An entry of the search, with the plain forms of its texts. */
type Entry = {kind: number, title: string, href: string, more: string, name: string, text: string};

/** The best entries of a kind, and the number of all. */
type Found = {kind: number, best: number, total: number, entries: Entry[]};

// plot.js

/** The place of a row on an axis. */
type Coordinate = {value: number, text: string, aside: boolean, warned: boolean};

/** A row in a scatter, or on a line. */
interface Placed {
  row: Row;
  x: Coordinate;
  y: Coordinate;
  series: number;
  quarantined: boolean;
  warned: boolean;
}

/** The comparison of one variant with that of the baseline under the same conditions. */
interface Against {
  row: Row; // one of them
  name: string;
  base: boolean; // it is the baseline's variant
  pairs: number; // number of common conditions
  cells: Map<string, {mean: number | null, pairs: number}>; // for each metric
}

/** Rows that are joined, in order along a label. */
interface Strand {
  key: string;
  name: string;
  style: number;
  byName: boolean; // only file names distinguish them, with unknown meaning
  points: {row: Row, at: Coordinate, x: Coordinate, y: Coordinate}[];
}

// renew.js

/** reports whether an element, or a part of it, will change or be removed */
type Changes = (element: Element) => boolean;

// rows.js

/** A run, or all repeats of one. */
interface Row {
  runs: number[];
  figures: Map<string, Figure | null>; // those used so far
}

/** Rows under one heading. */
interface Group {
  value: string; // of the grouping label
  rows: Row[];
  base: Row | null; // the row to compare with if there is none with the same conditions
  likes: () => Map<string, Row | null>; // rows of the baseline's variant by their conditions; null for several
  alike: () => boolean; // some rows look the same in all columns, so that ids must be shown
}

// sentence.js

/** The data of a sentence. */
interface About {
  shown: Overall[]; // better or worse, throughput first, then by size of difference
  mixed: Overall | undefined; // the first one that is better in some pairs and worse in others
  compared: number; // figures with a verdict
  unsure: number; // number of figures that support no verdict
  withheld: number; // number of figures of runs that do not count
  why: string[];
  reason: string[]; // of the first figure that supports no verdict
  single: boolean; // no figure has repeats
  tested: boolean; // all figures have enough repeats for a test
  low: number; // thresholds of the figures without a test
  high: number;
}

// state.js

interface State {
  query: string; // words, and bounds as typed
  bounds: string[]; // on figures, as written by bounds.js
  where: Record<string, string[]>; // label → the values shown
  columns: string[]; // labels and metrics, in order
  sort: string; // a column; with - in front descending; "" for the order of the data
  group: string; // label that groups rows; "" for none
  base: string; // id of the run that others are compared with; "" for none
  percent: boolean; // changes in per cent rather than as ratios
  heat: boolean; // cells coloured by their ratio
  aside: boolean; // show excluded runs
  apart: boolean; // show auxiliary runs
  repeats: boolean; // one row for all repeats of a run
  chart: "curves" | "scatter" | "lines" | "range" | "none";
  x: string; // of a scatter and of curves; for lines the label along them
  along: string; // label that points of curves are joined along
  y: string;
  by: string; // label of the series; "" for none
  family: string; // latency whose ranges are shown
  xs: string; // scale: "", "linear" or "log"
  ys: string;
  zx: string; // range of x, low~high; "" for all
  zy: string;
  off: string[]; // keys of hidden series
  bars: boolean; // bars in cells
  pick: string[]; // ids of the runs selected for comparison
}

// stats.js

/** The comparison of two sets of repeats. */
interface Comparison {
  ratio: number | null; // median(b) / median(a) if both are positive
  method: "none" | "single" | "few" | "u-test";
  p: number | null; // two-sided p of the Mann–Whitney U test
  verdict: "unknown" | "same" | "different";
}

// tables.js

/** The sorting of a table. */
interface Sorting {
  reset: HTMLButtonElement; // restores the original order
  undo: () => Sorted | null; // removes all buttons and restores the original order
  redo: (how: Sorted) => void; // sorts again, if the column still exists
}

/** the column by which a table is sorted */
type Sorted = {title: string, descending: boolean};
