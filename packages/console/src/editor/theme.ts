import { EditorView } from '@codemirror/view'

/** Colours of the console, which are light or dark by themselves. */
export const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  // The ring is that of the host, because gutters are above an outline here.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '0.8125rem',
    lineHeight: '1.6',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--text)', paddingBlock: '0.75rem' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    borderColor: 'var(--line)',
    color: 'var(--muted)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent-soft) 55%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--warn)' },
  '.cm-foldPlaceholder': {
    border: '1px solid var(--line)',
    backgroundColor: 'var(--badge)',
    color: 'var(--text)',
  },
  '.cm-panels': {
    backgroundColor: 'var(--sunken)',
    borderColor: 'var(--line)',
    color: 'var(--text)',
    fontFamily: 'system-ui, sans-serif',
  },
  '.cm-panels.cm-panels-top, .cm-panels.cm-panels-bottom': { borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '0.375rem 1.75rem 0.375rem 0.5rem' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text)', fontSize: '1.25rem' },
  '.cm-panel.cm-search label': { color: 'var(--text)' },
  '.cm-textfield, .cm-button': {
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    background: 'var(--surface)',
    color: 'var(--text)',
  },
  '.cm-button:active': { background: 'var(--accent-soft)' },
  '.cm-tooltip': {
    maxWidth: 'min(28rem, 92vw)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    overflowWrap: 'anywhere',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxWidth: 'min(28rem, 92vw)',
    minWidth: '10rem',
    fontFamily: 'var(--mono)',
    fontSize: '0.8125rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.1875rem 0.5rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected], .cm-tooltip.cm-tooltip-autocomplete-disabled ul li[aria-selected]':
    { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '0.85' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { borderInlineStart: '4px solid var(--line-strong)', paddingBlock: '0.25rem' },
  '.cm-diagnostic-error': { borderColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderColor: 'var(--warn)' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    paddingBottom: '0',
    textDecoration: 'underline wavy',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '0.2em',
  },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--warn-soft)' },
  '.cm-lint-marker': { width: '0.75rem', height: '0.75rem' },
})
