/** A page of `docs/`: its name, its title in lists, and what it has. */
type Page = readonly [name: string, title: string, content: string]

/** A chapter of the documentation, and what its reader wants. */
export type Chapter = {
  readonly title: string
  readonly for: string
  readonly pages: readonly Page[]
  /** Whether readers of the search look for it. */
  readonly isSearched: boolean
}

/** The documentation: the navigation, and the lists of `docs/index.md` and the README. Each page of `docs/` is in it once, but for the index. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Use',
    for: 'You design pages: write frames and menus, see them before visitors do, undo them.',
    isSearched: true,
    pages: [
      ['start', 'Start', 'what a frame is, and ten minutes on a demo network'],
      ['markup', 'Markup', 'inserts, binds and data sources, with tested examples'],
      ['editing', 'Editing', 'the console in the browser, a folder of files, previews'],
      ['history', 'History and undo', 'who changed what, restore, limited tokens'],
      [
        'network',
        'The network as code',
        'one description of many sites: plan, apply, roll back, drift',
      ],
    ],
  },
  {
    title: 'Script',
    for: 'You write programs: over HTTP, with the typed client, from a shell, or with an agent.',
    isSearched: true,
    pages: [
      ['http', 'HTTP', 'errors, conditional writes, dry runs, batches, repeated requests'],
      ['client', 'Client and scripts', 'the typed client, its functions, ten tasks as scripts'],
      ['events', 'Events', 'what changed: a list, streams and webhooks'],
      ['agents', 'Agents', 'the MCP server: planned writes, tools'],
      ['commands', 'Commands', 'the command line'],
    ],
  },
  {
    title: 'Operate',
    for: 'You run the service: install, upgrade, watch and secure it.',
    isSearched: true,
    pages: [
      ['install', 'Install', 'from a bare Debian to a served page'],
      [
        'configuration',
        'Configuration and limits',
        'environment variables, limits, and what is not supported',
      ],
      [
        'operating',
        'Operating',
        'failures, findings of the doctor, upgrades, the change feed, metrics and alerts, tracing',
      ],
      [
        'scale-and-caches',
        'Scale and caches',
        'nginx, containers, several instances, object stores, CDNs',
      ],
      ['security', 'Security and backup', 'rights, tokens, secrets, backups, copies for staging'],
    ],
  },
  {
    title: 'Move',
    for: 'You replace a PHP endpoint.',
    isSearched: true,
    pages: [['moving-from-php', 'Moving from a PHP endpoint', 'step by step, with a comparison']],
  },
  {
    title: 'Contribute',
    for: 'You change the service. These pages are not in the search.',
    isSearched: false,
    pages: [
      ['architecture', 'Architecture', 'modules, flows, stored data'],
      ['consistency', 'Consistency', 'what holds after writes, failures and restarts'],
      ['glossary', 'Glossary', 'the terms of the code and of these pages'],
      ['performance', 'Performance', 'the benchmark and its results'],
      ['freshness', 'Freshness', 'how soon pages show edits by WordPress'],
    ],
  },
]
