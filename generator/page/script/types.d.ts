// The types of what modules hand to each other. Names and Columns are JSON that Go writes:
// page/data and export.ColumnData.

type Results = import("./data.js").Results;
type Rows = import("./rows.js").Rows;
type Portfolio = import("./advise.js").Portfolio;
type Axis = import("./chart/axis.js").Axis;

/** A style sheet is imported as its text. */
declare module "*.css" {
  const text: string;
  export default text;
}

// advise.js

/** How results are laid out. */
interface Layout {
  runs: number[];
  rows: string; // label of the variants
  load: string; // label of the loads
  size: string; // label that holds the size
  baseline?: string; // the variant that others are held against
  judge?: Record<string, string>; // load to the metric that decides there
}

/** A bound on a metric, on a label, or on the memory that weights and cache take. */
interface Limit {
  name: string;
  kind: "metric" | "label" | "quality" | "memory";
  value: number;
  text: string; // as it was given
  better: "higher" | "lower";
  task?: string; // of a quality
  streams?: number; // of memory: how many requests have their cache at once; as many as the load has when absent
}

/** A variant at a load. */
interface Verdict {
  rule: "" | "aside" | "dominated" | "fastest" | "size-only" | "balance";
  by: number; // the variant that outdoes it, −1 for none
  on: boolean; // on the Pareto frontier of size and speed
  held: boolean; // against a sound baseline
  figure: Figure | null; // of the metric that decides
}

/** What a limit says of a variant. */
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

/** Why a variant was not to be chosen from; "kept" when it was. */
interface Eligibility {
  why: "kept" | "unmeasured" | "unsized" | "aside" | "over" | "unknown";
  tests: Test[]; // of every limit
}

/** What is decided at a load. */
interface Decision {
  best: number; // −1 when none holds and keeps within every limit
  sound: number; // how many hold
  choices: Eligibility[]; // of each variant
}

// bounds.js

/** A bound on a metric or on a label that holds figures, in the unit that is shown. */
type Bound = {name: string, sign: string, value: number};

// chart/axis.js

/** one without a label is a minor one */
type Tick = {at: number, label: string};

/** how far apart two labels have to be */
type Room = (a: string, b: string) => number;

// chart/draw.js

/** what an axis measures */
interface Measure {
  title: string;
  unit?: string; // "1" counts as none
  scale?: "" | "linear" | "log"; // "" chooses by the values
  better?: "higher" | "lower" | "";
}

interface Point {
  x?: number;
  y?: number;
  label?: string; // its name; in rows and lines nothing
  x_text?: string; // the values in the digits that are known
  y_text?: string;
  missing?: boolean;
  quarantined?: boolean; // drawn hollow
  warned?: boolean; // drawn with a ring
  dominated?: boolean; // drawn grey
  run?: string; // id of its run
}

interface Series {
  name: string;
  key?: string; // by which the explorer knows it, in every language
  style?: number; // colour and shape, counted from 1; 0 for that of its place
  points: Point[]; // of rows one for each category
}

interface Spec {
  kind: "scatter" | "lines" | "curves" | "dots";
  along?: string; // what the points of curves are joined along; their labels are its values
  title?: string;
  alt: string;
  notes?: string[];
  x?: Measure;
  y: Measure; // of the values, in rows too
  frontier?: number[]; // points in drawing order, counted through the series from 0
  categories?: string[];
  series: Series[];
}

interface Look {
  height?: number; // of the plot of a scatter or of lines
  named?: number; // how many points may have a name beside them
  colours?: number; // how many there are, before shapes tell series apart
}

// chart/drawing.js

type Box = {x0: number, y0: number, x1: number, y1: number};

/** A value that can be pointed at. */
interface Mark {
  x: number; // its middle, in layout units
  y: number;
  reach: number; // how far from the middle it is pointed at
  box?: Box; // what it fills, when it is no mark but a bar or a cell
  panel: number; // which of several small charts it is in
  title: string; // what it is a value of
  series: string;
  of: string; // the series as its card names it; "" when the title does
  rows: [string, string][]; // names and figures
  doubts: string[];
  beside: string; // what else there is to say
  run: string; // id of its run
  colour: Record<string, string>; // attributes that fill something in its colour
}

/** a series in the legend, which can be hidden */
type Key = {name: string, box: Box, off: boolean};

/** where values can be zoomed into */
type Plot = {box: Box, x: Axis | null, y: Axis | null};

/** the values between which the axes are shown */
type View = {x?: [number, number], y?: [number, number]};

type Drawing = {svg: SVGSVGElement, width: number, height: number, marks: Mark[], keys: Key[], plots: Plot[]};

/** What a reader has chosen of a chart. */
type ChartChoice = {narrow: boolean, width: number, hidden: ReadonlySet<string>, view: View};

/** from a place of all to that in the part */
type Move = (v: number) => number;

// chart/menu.js

/** The files a chart can be saved as. */
type Form = "png" | "svg" | "csv";

type Column = {head: string, numeric: boolean, of: (m: Mark) => string};

// chart/interact.js

type Draw = (choice: ChartChoice) => Drawing;

interface MountOptions {
  onOpen?: (run: string) => void; // click or Enter on a mark with a run
  fluid?: boolean; // it is drawn as wide as it is shown
  name?: string; // of the files it is saved as, without extension
  opens?: string; // what a click on a mark with a run does, in words; that it opens the run when absent
  onView?: (view: View, hidden: ReadonlySet<string>, going?: boolean) => void; // the reader has zoomed, going on with it, or has switched series off or on
  onPoint?: (run: string) => void; // the reader points at a mark of a run; "" at none
  view?: View; // what is shown first
  hidden?: Iterable<string>;
  menu?: HTMLElement; // where its menu is; over the chart when absent
  embed?: string; // address of its page for frames
  csv?: string; // the figures behind it
  address?: (view: View, hidden: ReadonlySet<string>) => string; // leads to it as it is shown
}

/** A chart in a page. */
interface Mounted {
  update: (draw: Draw, view?: View, hidden?: Iterable<string>) => void; // shows another chart; series stay hidden by their names unless others are given
  highlight: (run: string | null) => void; // sets the marks of a run off, as from a row of a table
  destroy: () => void; // leaves the container empty
}

// compare.js

type Block = {line: number, lines: string[], broken?: boolean}; // page/data.Block

// comparison.js

/** What the reader has chosen, as in the address: a run, a set, which is all repeats of a run, or a variant, which is all
 * runs like it at whatever load. */
type Chosen = {kind: "run" | "set" | "variant", id: string};

interface Compared {
  chosen: Chosen[]; // each with an id of its own
  base: string; // id of the one that others are compared with; "" for the first
  family?: string; // latency whose percentiles are drawn; "" for the first
  differing?: boolean; // of raw lines only those that differ are shown
}

/** One of those side by side. */
interface Side {
  chosen: Chosen;
  runs: number[];
}

/** A label and its values on each side: one, or of repeats that do not agree several. */
type LabelRow = {name: string, values: string[][]};

/** In what sides differ. */
interface Differences {
  settings: LabelRow[]; // in which runs have to agree to be compared
  others: LabelRow[];
  same: LabelRow[];
}

/** A metric of a side at a load, and what it is beside that of the baseline. */
interface Cell {
  value: Value | null; // null where it is missing
  judgement: Judgement | null; // null for the baseline itself
}

/** A metric of all sides. */
interface MetricRows {
  name: string;
  overall: (Overall | null)[]; // of each side
  rows: {load: string, cells: Cell[]}[];
  rank: number;
  size: number; // the largest difference
}

interface Compilation {
  variants: boolean; // compared load by load
  judged: (Judged | null)[]; // of each side against the baseline, null for that
  differ: MetricRows[]; // the largest difference first
  same: MetricRows[];
}

// copy.js

interface Sheet {
  head: string[];
  numeric: boolean[]; // of each column
  rows: string[][];
}

// data.js

/** What a page tells about results (page.names). */
interface Names {
  root: string; // leads to the site's root
  home: string; // leads to the language's folder
  data: string[]; // names of the data scripts
  paths: Record<string, string>; // of runs whose id is not their path
  labels: Record<string, string>; // titles
  values: Record<string, Record<string, string>>; // words for values, where they have any
  orders: Record<string, string[]>; // of values that are not sorted by name
  styles: Record<string, Record<string, number>>; // colours and shapes of values in charts
  colours: number; // how many series of charts have before shapes tell them apart
  units: Record<string, string>; // of labels that hold figures
  metrics: Record<string, MetricName>;
  families: Record<string, string>; // names of latencies without a statistic
  groups: {title: string, metrics: string[]}[]; // of metrics, in their order
  columns: string[]; // shown unless the reader chooses
  offered: string[]; // labels with several values
  figured: string[]; // those of them that hold several figures
  ranges: {family: string, metrics: string[]}[]; // latencies with the statistics that range dots show
  usual: {chart: State["chart"], x: string, y: string, along: string, by: string, group: string, family: string}; // of the explorer before the reader chooses
  settings: string[]; // labels in which runs have to agree to be compared
  workload: string[]; // labels that runs on one frontier agree in
  conditions: string[]; // labels that tell conditions apart, in their order
  noise: number; // relative difference that single runs do not tell
  limits: Record<string, string>; // of the site's SLO
  bases?: Record<string, string>; // base models of models, where they are known
  compare?: CompareRules; // where runs are side by side
}

/** How two sides are compared (page/data.Comparing). */
interface CompareRules {
  subjects: string[]; // labels by which runs may be compared, the first before all others
  explains: Record<string, string[]>; // subject → settings that follow from it
  settings: string[];
  plain: string[]; // settings that are numbers or switches
  also: string[]; // further labels in which runs have to agree
  named: string[]; // labels that name a load
  conditions: string[]; // labels that a load consists of
  tolerance: number; // relative difference in the length of answers that does not count
  headline: string[]; // metrics that the sentence on top is about
  noise: Record<string, number>; // metric → threshold
  inside: Record<string, string>; // names of metrics and settings inside a sentence
}

interface MetricName {
  title: string;
  unit?: string;
  better?: "higher" | "lower";
  per?: number; // what values are divided by to be shown in the unit
  decimals?: number; // shown of such values
}

/** Groups of results as columns (export.ColumnData): those that are one text are packed. */
interface Columns {
  groups: [string, number][]; // names, and how many results each has
  ids: string[];
  sets: string;
  incidental: string[]; // labels in which repeats may differ
  partial: number[];
  failed: number[];
  excluded: number[];
  auxiliary: number[];
  blocks?: string; // of each, the number of the script that has its raw text
  checks: Check[];
  labels: Record<string, {values: string[], figures?: (number | null)[], at: string}>;
  metrics: Record<string, string>;
}

/** What was found of some results. */
type Check = {id: string, severity: string, metrics?: string[], runs: number[]};

/** A label of all results. */
interface LabelColumn {
  values: string[];
  figures: Map<string, number | null>; // that values hold
  at: Int32Array; // the value of each result, −1 for none
  plainly: string[]; // what is searched of each value: itself, and the reader's word for it
  sorted?: string[]; // the values in their order, once they were asked for
}

/** A metric of all results. */
interface MetricColumn {
  cells: string[]; // as packed; "" for none
  numbers: Float64Array; // NaN for none
  samples: Float64Array | null; // of each result, where the metric is a percentile
  least: number; // samples that it takes (audit.Samples)
}

/** A metric of some repeats. */
interface Figure {
  value: number; // the median of those that count
  values: number[]; // that count: repeats excluded do only when there are no others
  text: string; // as it is written
  aside: boolean;
  doubted: boolean; // a warning is about it
  weak: boolean; // a percentile of too few samples
  run: number; // the one in the middle
}

// deployment.js

interface Wish {
  rows: string; // label of the variants; "" for the usual
  load: string; // label of the loads; "" for the usual
  at: string; // the load it has to hold at; "" for the first
  where: Record<string, string>; // label → the value that runs have; "" for any, said by the reader
  limits: Record<string, string> | null; // name → as it was given; null for those of the site
  task: string; // that quality is of; "" for the first
  streams: number; // requests that have their cache in memory at once; 0 for as many as the load has
  judge: string; // metric that decides at the load; "" for the usual
  baseline: string; // variant; "" for none
}

/** A label by which the runs are narrowed down. */
interface Field {
  label: string;
  values: string[];
  value: string; // "" for any
}

/** What a wish comes to among the results. */
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

/** What two figures of a metric say of each other. */
type Ruling = "worse" | "better" | "uncertain" | "changed" | "only-a" | "only-b" | "same";

/** A metric of repeats. */
interface Value {
  runs: number[]; // that have it and count
  values: number[];
  median: number;
  nearest: number; // the run whose figure is the median, or the lower of the two middle ones
  excluded: number; // runs that were left out
  reason: string[]; // why it does not count, as a message; empty when it does
}

/** A metric of a pair. */
interface Judgement {
  name: string;
  a: Value | null;
  b: Value | null;
  beside: Comparison | null;
  q: number | null; // p adjusted for all that was tested
  ruling: Ruling;
  ground: string;
  why: string[]; // of an uncertain one, as a message
  size: number; // relative to noise
}

/** Runs of both sides that measured the same. */
type Match = {a: number[], b: number[], name: string};

/** What all pairs together show of a metric. */
interface Overall {
  name: string;
  figures: Judgement[];
  ruling: Ruling; // "changed" when pairs contradict each other
  size: number;
  better: number; // pairs in which B is better
  worse: number;
  ratio: number; // the geometric mean, 0 without any
  low: number;
  high: number;
  pairs: number; // both of whose figures count
}

interface Judged {
  subject: string; // label that is compared
  pairs: (Match & {figures: Judgement[], changed: string[]})[];
  overall: Overall[]; // the largest difference first
  changed: string[]; // settings in which some pair differs
}

// find.js

/** What a site is searched by: JSON that page/find writes. */
interface FindIndex {
  words: Record<string, string>;
  kinds: FindKind[];
  runs: string[]; // names of the data scripts of the results
  names: {paths: Record<string, string>, values: Record<string, Record<string, string>>}; // of the results
}

// grid.js

/** What is in a row of the table. */
type Item = {kind: "heading", group: Group} | {kind: "row", row: Row, group: Group} | {kind: "mean", group: Group};

/** What the reader does in the table. */
interface Actions {
  sort: (sort: string) => void;
  base: (id: string) => void; // chooses the baseline, or none with ""
  pick: (id: string, on: boolean) => void;
  point: (row: Row | null) => void;
}

// match.js

interface FindKind {
  title: string;
  entries: [title: string, href: string, more?: string][]; // href leads there from the language's folder
}

/** What may be found, and the plain forms of its texts. */
type Entry = {kind: number, title: string, href: string, more: string, name: string, text: string};

/** The best of a kind, and how many there are. */
type Found = {kind: number, best: number, total: number, entries: Entry[]};

// plot.js

/** Where a row lies on an axis. */
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

/** Runs of one variant against those of the baseline's under the same conditions. */
interface Against {
  row: Row; // one of them
  name: string;
  base: boolean; // it is the baseline's own
  pairs: number; // conditions that both were measured under
  cells: Map<string, {mean: number | null, pairs: number}>; // of each metric
}

/** Rows that are joined, in their order along a label. */
interface Strand {
  key: string;
  name: string;
  style: number;
  byName: boolean; // names of files tell them apart, and nobody knows what that means
  points: {row: Row, at: Coordinate, x: Coordinate, y: Coordinate}[];
}

// renew.js

/** tells whether an element, or a part of it, will change or go */
type Changes = (element: Element) => boolean;

// rows.js

/** A run, or all repeats of one. */
interface Row {
  runs: number[];
  figures: Map<string, Figure | null>; // that were asked for
}

/** Rows under one heading. */
interface Group {
  value: string; // of the label they are grouped by
  rows: Row[];
  base: Row | null; // what they are held against where nothing like them is
  likes: () => Map<string, Row | null>; // rows of the baseline's variant by their conditions; null for several
  alike: () => boolean; // some rows share all that the columns tell of them, so that ids have to
}

// sentence.js

/** What a sentence is made of. */
interface About {
  shown: Overall[]; // better or worse, the largest difference first, the throughput before all
  mixed: Overall | undefined; // the first that is better in some pairs and worse in others
  compared: number; // figures with a verdict
  unsure: number; // figures that support none
  withheld: number; // figures of runs that do not count
  why: string[];
  reason: string[]; // of the first figure that supports no verdict
  single: boolean; // no figure is of repeats
  tested: boolean; // all are of repeats enough to be tested
  low: number; // thresholds of the figures that are not tested
  high: number;
}

// state.js

interface State {
  query: string; // words, and bounds as they are typed
  bounds: string[]; // of figures, as bounds.js writes them
  where: Record<string, string[]>; // label → the values that are shown
  columns: string[]; // labels and metrics, in their order
  sort: string; // a column; with - before it from the greatest down; "" for the order of the data
  group: string; // label under whose values rows are; "" for none
  base: string; // id of the run that the others are held against; "" for none
  percent: boolean; // changes in per cent rather than as ratios
  heat: boolean; // cells coloured by their ratio
  aside: boolean; // show what a check has excluded
  apart: boolean; // show what is no measurement of its own
  repeats: boolean; // one row for all repeats of a run
  chart: "curves" | "scatter" | "lines" | "range" | "none";
  x: string; // of a scatter and of curves; of lines the label along them
  along: string; // label that points of curves are joined along
  y: string;
  by: string; // label of the series; "" for none
  family: string; // latency whose spread is shown
  xs: string; // scale: "", "linear" or "log"
  ys: string;
  zx: string; // values between which x is shown, low~high; "" for all
  zy: string;
  off: string[]; // series that are switched off, by their keys
  bars: boolean; // bars in cells
  pick: string[]; // ids of the runs chosen to be compared
}

// stats.js

/** What two sets of repeats say of each other. */
interface Comparison {
  ratio: number | null; // median(b) / median(a), when both are positive
  method: "none" | "single" | "few" | "u-test";
  p: number | null; // two-sided, of the Mann–Whitney U test
  verdict: "unknown" | "same" | "different";
}

// tables.js

/** How a table can be sorted. */
interface Sorting {
  reset: HTMLButtonElement; // brings the first order back
  undo: () => Sorted | null; // takes all buttons away and brings the first order back
  redo: (how: Sorted) => void; // sorts again, if there still is that column
}

/** by which column a table is sorted */
type Sorted = {title: string, descending: boolean};
