import type { ComponentType } from 'preact'
import { Page } from '../parts/page.tsx'
import { linkTo, parameter } from '../router.ts'
import { networkParts } from '../routes.ts'
import { NetworkHistoryView } from './history.tsx'
import { DriftView } from './network/drift-view.tsx'
import { HealthView } from './network/health-view.tsx'
import { PlansView } from './network/plans-view.tsx'
import { TokensView } from './network/tokens-view.tsx'

const CONTENTS: Readonly<Record<(typeof networkParts)[number][0], ComponentType>> = {
  '': HealthView,
  plans: PlansView,
  drift: DriftView,
  history: NetworkHistoryView,
  tokens: TokensView,
}

/** All sites of the network, and what concerns all of them. */
export function View() {
  const [shown] = networkParts.find(([as]) => as === parameter('as')) ?? networkParts[0]
  const Content = CONTENTS[shown]
  return (
    <Page title="Network" lead="All sites, for super administrators.">
      <nav class="segments tabs" aria-label="Parts of the network">
        {networkParts.map(([name, label]) => (
          <a
            key={name}
            href={linkTo('/network', { as: name })}
            aria-current={name === shown ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Content />
    </Page>
  )
}
