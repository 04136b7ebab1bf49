// How the panels above a site look. The site's colours are taken where it has them.

export const style = `
:host {
  all: initial;
  color-scheme: inherit;
  --ink: light-dark(#15191e, #e3e7ea);
  --soft: light-dark(#555e68, #9aa4ae);
  --paper: light-dark(#fff, #171b1f);
  --sunken: light-dark(#f4f5f5, #0f1215);
  --rule: light-dark(#d8dcdf, #343b42);
  --accent: light-dark(#0072b2, #66b8ea);
  --error: light-dark(#a93200, #ff9d73);
  --warning: light-dark(#7a5200, #e9b44c);
  --marked: light-dark(#fbdfc2, #4a2d10);
  display: block;
}
@media print { :host { display: none } }
*, *::before, *::after { box-sizing: border-box }
.dock {
  position: fixed; z-index: 2147483000; inset: auto 0 0; pointer-events: none;
  display: flex; flex-direction: column; align-items: end;
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Arial, "Noto Sans", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif;
  color: var(--ink); text-align: start; overflow-wrap: anywhere; text-autospace: normal;
}
.dock > * { width: 100% }
.panel, .line, .running { pointer-events: auto } /* beside them the page can be used */
[hidden] { display: none !important }
p, ol, pre { margin: 0; padding: 0 }
ol { list-style: none }
a { color: var(--accent); text-underline-offset: .18em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 2px }
code, pre { font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", monospace }

.panel { background: var(--paper); border-top: 3px solid var(--line); box-shadow: 0 -4px 16px rgb(0 0 0 / .14) }
.panel.error { --line: var(--error) }
.panel.warning { --line: var(--warning) }
summary { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; padding: 8px 16px; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary::before { content: ""; flex: none; width: 7px; height: 7px; border: solid var(--soft); border-width: 0 2px 2px 0; rotate: -45deg; translate: 0 -1px }
details[open] > summary::before { rotate: 45deg; translate: 0 -3px }
summary b { color: var(--line) }
.note, .hint { color: var(--soft) }
.body { max-height: 30vh; overflow: auto; overscroll-behavior: contain }
li { padding: 10px 16px 14px; border-top: 1px solid var(--rule) }
.where { color: var(--soft) }
.faults .where { color: var(--ink); font-weight: 600 }
.text { max-width: 52rem }
.hint { max-width: 52rem }
pre { overflow-x: auto; background: var(--sunken); border: 1px solid var(--rule); border-radius: 4px; white-space: pre; overflow-wrap: normal; tab-size: 4 }
.faults pre { margin-top: 8px; padding: 6px 0 }
.code { display: block; width: max-content; min-width: 100%; padding-inline-end: 12px; color: inherit; background: none }
mark.code { background: var(--marked) }
.number { display: inline-block; width: 4.5ch; margin-inline-end: 1.5ch; text-align: end; color: var(--soft); user-select: none }

.head { display: flex; gap: 12px; align-items: start; justify-content: space-between; font-weight: 600 }
.again { display: grid; grid-template-columns: 1fr auto; gap: 4px 8px; align-items: center; margin-top: 8px }
.again .hint { grid-column: 1 / -1 }
.again pre { padding: 6px 10px; min-width: 0 }
button { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; padding: 4px 12px; min-height: 32px; cursor: pointer }
button:hover { border-color: var(--soft) }
.drop { border: 0; margin: -4px -8px -4px 0; min-width: 32px; padding: 0 8px; font-size: 18px; line-height: 1; color: var(--soft); background: none }

.running:not(:empty) { background: var(--paper); border-top: 1px solid var(--rule); max-height: 30vh; overflow: auto }
.run { position: relative; display: flex; flex-wrap: wrap; gap: 0 16px; padding: 6px 16px 9px; font-variant-numeric: tabular-nums }
.run > :first-child { font-weight: 600; min-width: 0 }
.run .text { color: var(--soft); margin-inline-start: auto; max-width: none }
progress { position: absolute; inset: auto 0 0; width: 100%; height: 3px; appearance: none; border: 0; background: var(--rule) }
progress::-webkit-progress-bar { background: var(--rule) }
progress::-webkit-progress-value { background: var(--accent) }
progress::-moz-progress-bar { background: var(--accent) }
progress:indeterminate::-moz-progress-bar { background: var(--rule) }

.line { background: var(--paper); border-top: 3px solid var(--warning); padding: 8px 16px }
.line.quiet { border-top: 1px solid var(--rule); color: var(--soft); padding: 4px 16px }
.aloud { position: absolute; width: 1px !important; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

@media (min-width: 48rem) {
  .body { max-height: min(46vh, 26rem) }
  .panel, .line:not(.quiet) { width: min(46rem, calc(100vw - 2rem)); margin: 0 1rem .75rem auto; border: 1px solid var(--rule); border-inline-start: 3px solid var(--line, var(--warning)); border-radius: 4px; box-shadow: 0 4px 20px rgb(0 0 0 / .18) }
}
`;
