import type { ComponentType } from 'preact'
import { Page } from '../parts/page.tsx'
import { linkTo, type ViewProps } from '../router.ts'
import { DriftView } from './network/drift-view.tsx'
import { HealthView } from './network/health-view.tsx'
import { NetworkHistoryView } from './network/history-view.tsx'
import { PlansView } from './network/plans-view.tsx'
import { TokensView } from './network/tokens-view.tsx'

type Part = {
  readonly name: string
  readonly label: string
  readonly Content: ComponentType<{ readonly query: URLSearchParams }>
}

const HEALTH: Part = { name: '', label: 'Health', Content: HealthView }

const PARTS: readonly Part[] = [
  HEALTH,
  { name: 'plans', label: 'Plans', Content: PlansView },
  { name: 'drift', label: 'Drift', Content: DriftView },
  { name: 'history', label: 'History', Content: NetworkHistoryView },
  { name: 'tokens', label: 'Tokens', Content: TokensView },
]

/** All sites of the network, and what concerns all of them. */
export function View({ query }: ViewProps) {
  const shown = PARTS.find(({ name }) => name === query.get('as')) ?? HEALTH
  return (
    <Page title="Network" lead="All sites, for super administrators.">
      <nav class="segments tabs" aria-label="Parts of the network">
        {PARTS.map(({ name, label }) => (
          <a
            key={name}
            href={linkTo('/network', { as: name })}
            aria-current={name === shown.name ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <shown.Content query={query} />
    </Page>
  )
}
