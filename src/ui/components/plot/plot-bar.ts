/** One bar of a plot: two parts, one on the other, and what a table says in its place. */
export interface PlotBar {
  key: string;
  /** Of its time, whole; and short enough to stand below it. */
  name: string;
  short: string;
  lower: number;
  upper: number;
  cells: string[];
}
