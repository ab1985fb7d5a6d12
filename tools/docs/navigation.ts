/** A group of the navigation: its title, and the names of its pages with their titles there. */
type Group = readonly [title: string, pages: readonly (readonly [name: string, title: string])[]]

/** The navigation of the documentation. Each page of `docs/` is in it once. */
export const NAVIGATION: readonly Group[] = [
  [
    'Start',
    [
      ['index', 'Find your way'],
      ['introduction', 'What wp-frames is'],
      ['tour', 'Ten minutes with wp-frames'],
      ['console', 'The console'],
    ],
  ],
  [
    'For designers',
    [
      ['markup', 'The markup language'],
      ['preview', 'Preview'],
      ['history', 'History and undo'],
    ],
  ],
  [
    'For operators',
    [
      ['network', 'The network as code'],
      ['install', 'Installing without Docker'],
      ['operating', 'Operating'],
      ['tracing', 'Tracing'],
      ['growth', 'What grows'],
      ['backup', 'Backup and restore'],
      ['metrics', 'Metrics and alerts'],
      ['instances', 'Several instances'],
      ['object-store', 'Static copies in an object store'],
      ['security', 'Security'],
      ['freshness', 'Freshness'],
      ['moving-from-php', 'Moving from a PHP endpoint'],
      ['compare', 'Comparing with an old endpoint'],
      ['nginx-and-wordpress', 'nginx with WordPress and wp-frames'],
      ['page-caches', 'Page caches and CDNs'],
      ['performance', 'Performance'],
    ],
  ],
  [
    'For scripts and agents',
    [
      ['events', 'Events'],
      ['scripts', 'Scripts'],
      ['conditional-writes', 'Conditional writes and dry runs'],
      ['batches-and-retries', 'Batches and repeated requests'],
      ['mcp', 'Agents: the MCP server'],
    ],
  ],
  [
    'Reference',
    [
      ['configuration', 'Configuration'],
      ['limits', 'Limits'],
      ['findings', 'Findings of the doctor'],
      ['old-addressing', 'The old addressing'],
      ['glossary', 'Glossary'],
      ['commands', 'Commands'],
    ],
  ],
  [
    'Project',
    [
      ['architecture', 'Architecture'],
      ['consistency', 'Consistency'],
    ],
  ],
]
