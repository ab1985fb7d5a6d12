import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Site } from '../../client/src/index.ts'
import { readAgain, useRead } from './calls.ts'
import { checkSite, checks, forgetChecks, problemsOf, sumOf } from './checks.tsx'
import { api, askAgain, connection, waiting } from './client.ts'
import { me, SiteContext } from './current.ts'
import { PaletteButton } from './palette/palette-button.tsx'
import { Button } from './parts/fields.tsx'
import { useLater } from './parts/later.tsx'
import { Announcer, announce, Loaded, Loading, Notice } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { address, linkTo, type Route } from './router.ts'
import { shownRoute, siteSections } from './routes.ts'
import { signOut } from './session.ts'
import { Mark } from './sign-in.tsx'
import { count } from './text.ts'
import { ThemeSwitch } from './theme-switch.tsx'

/** Header, navigation and the view of the address. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const found = shownRoute.value
  const site = found?.params.site
  useEffect(readMe, [])
  useEffect(() => forgetChecks, [])
  useReturn()
  return (
    <>
      <header class="top">
        <a
          class="skip"
          href={linkTo(address.value.path)}
          onClick={(event) => {
            event.preventDefault()
            main.current?.focus()
          }}
        >
          Skip to the content
        </a>
        <a class="brand" href={linkTo('/')} aria-label="wp-frames">
          <Mark /> <span class="brand-name">wp-frames</span>
        </a>
        <ConsoleLinks className="top-nav" />
        <div class="who">
          <PaletteButton />
          <ThemeSwitch />
          <Caller />
          <Button label="Menu" class="menu-button" popovertarget="sheet" />
        </div>
        <Sheet />
      </header>
      {site === undefined ? (
        <main ref={main} tabIndex={-1} class="content">
          {found ? <Viewed key={found.route.pattern} {...found} /> : <NoView />}
        </main>
      ) : (
        <WithSite key={site} id={site}>
          <main ref={main} tabIndex={-1} class="content">
            {found && <Viewed key={found.route.pattern} {...found} />}
          </main>
        </WithSite>
      )}
      <Waiting />
      <Announcer />
    </>
  )
}

function ConsoleLinks({ className }: { readonly className?: string }) {
  const section = shownRoute.value?.route.section
  return (
    <nav aria-label="Console" class={className}>
      <a href={linkTo('/')} aria-current={section === 'sites' ? 'page' : undefined}>
        Sites
      </a>
      {me.value?.may_manage_network && (
        <a href={linkTo('/network')} aria-current={section === 'network' ? 'page' : undefined}>
          Network
        </a>
      )}
      <a href="../docs/">Docs</a>
    </nav>
  )
}

/** Who is signed in, and the way out. */
function Caller() {
  return (
    <>
      {me.value && (
        <span class="login" title={`Scope of the token: ${me.value.token.scope}`}>
          <bdi>{me.value.user.login}</bdi>
          <span class="badge">{me.value.token.scope}</span>
        </span>
      )}
      <Button label="Sign out" class="quiet sign-out" onClick={() => signOut()} />
    </>
  )
}

/** On a phone, everything of the navigation: one bar is at the top, and this opens from below. */
function Sheet() {
  const site = shownRoute.value?.params.site
  const sheet = useRef<HTMLDivElement>(null)
  const { path } = address.value
  useEffect(() => {
    if (sheet.current?.matches(':popover-open')) sheet.current.hidePopover()
  }, [path])
  return (
    <div ref={sheet} id="sheet" popover="auto" class="sheet">
      {site !== undefined && <SiteLinks site={site} />}
      <ConsoleLinks />
      <div class="row">
        <Caller />
      </div>
    </div>
  )
}

/** When the service answers again, everything is read again. */
function useReturn(): void {
  const former = useRef(connection.value)
  useEffect(() => {
    if (former.current === 'offline' && connection.value === 'online') {
      readAgain('returned')
      announce('The service answers again.')
    }
    former.current = connection.value
  }, [connection.value])
}

/** Why the console waits: below the view, where it moves nothing. */
function Waiting() {
  return (
    <div class="waiting" role="status">
      {connection.value === 'offline' && (
        <p>
          <b>No connection.</b> The console tries again by itself. What you have typed is kept.
        </p>
      )}
      {connection.value === 'updated' && (
        <p>
          <b>The console was updated.</b> Reload it and sign in again. What you have typed is kept.{' '}
          <Button label="Reload" onClick={() => location.reload()} />
        </p>
      )}
      {connection.value === 'online' && waiting.value !== undefined && (
        <p>Too many requests: it goes on in {count(Math.max(waiting.value, 1), 'second')}.</p>
      )}
    </div>
  )
}

/** After a reload of the page the token is there, but not its user. */
function readMe(): void {
  if (me.value === undefined)
    api()
      .getMe()
      .then(
        (answer) => (me.value = answer),
        () => {},
      )
}

/** Reads the site of the view, and shows its navigation. */
function WithSite({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  const { reading, answer, reload } = useRead('listSites', { id: Number(id) })
  // Its numbers may be others in the next view.
  useEffect(() => {
    if (answer) reload()
  }, [address.value.path])
  const site = answer?.sites.find(({ site_id }) => String(site_id) === id)
  if (site)
    return (
      <SiteContext.Provider value={site}>
        <div class="with-side">
          <SiteNavigation site={site} />
          {children}
        </div>
      </SiteContext.Provider>
    )
  return (
    <main class="content">
      <Loaded reading={reading} retry={reload}>
        {() => (
          <Page title="No such site">
            <Notice tone="bad" title={`There is no site ${id} for this token`}>
              <p>
                It does not exist, or you do not administer it. <a href={linkTo('/')}>Your sites</a>
              </p>
            </Notice>
          </Page>
        )}
      </Loaded>
    </main>
  )
}

/** A larger site is checked when its health is opened. */
const MAX_CHECKED_FRAMES = 500

function SiteNavigation({ site }: { readonly site: Site }) {
  const { site_id, title, address: where, work, frames } = site
  useEffect(() => {
    if (!checks.value.has(site_id) && (frames ?? 0) <= MAX_CHECKED_FRAMES) void checkSite(site_id)
  }, [site_id])
  const wrong = sumOf(work.failing) + (problemsOf(site_id) ?? 0)
  return (
    <nav aria-label="Site" class="side">
      <p class="side-site">
        <strong dir="auto">{title}</strong>
        <span>{where}</span>
      </p>
      <SiteLinks site={String(site_id)} wrong={wrong} />
    </nav>
  )
}

type SiteLinksProps = {
  readonly site: string
  /** Problems of the site. */
  readonly wrong?: number
}

function SiteLinks({ site, wrong = 0 }: SiteLinksProps) {
  return (
    <ul>
      {siteSections.map(([key, label, path]) => (
        <li key={key}>
          <a
            href={linkTo(`/sites/${site}${path}`)}
            aria-current={key === shownRoute.value?.route.section ? 'page' : undefined}
          >
            {label}{' '}
            {key === 'health' && wrong > 0 && (
              <span class="badge warn">
                {wrong}
                <span class="visually-hidden"> problems</span>
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
}

type ViewedProps = {
  readonly route: Route
  readonly params: Record<string, string>
}

/** Loads the view's file, then shows the view. A file that cannot be loaded is tried again when the service answers. */
function Viewed({ route, params }: ViewedProps) {
  const View = useLater(route.load, true, () => askAgain(true))
  if (!View)
    return connection.value === 'online' ? (
      <Loading />
    ) : (
      <Page title="Not loaded">
        <p>This view could not be loaded.</p>
      </Page>
    )
  // Another path is another view, even of the same kind; other parameters after `?` are the same view.
  return <View key={address.value.path} params={params} />
}

function NoView() {
  return (
    <Page title="No such view">
      <p>
        The console has nothing at this address. <a href={linkTo('/')}>Go to your sites</a>
      </p>
    </Page>
  )
}
