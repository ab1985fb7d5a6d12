import { useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api, asServiceError, waiting } from './client.ts'
import { me, SiteContext, type SiteSummary } from './current.ts'
import { PaletteButton } from './palette/palette-button.tsx'
import { Loaded, Loading } from './parts/loaded.tsx'
import { Announcer, ErrorNotice, Notice } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { useRead } from './reading.ts'
import { address, findRoute, linkTo, type Route, type ViewProps } from './router.ts'
import { routes, siteSections } from './routes.ts'
import { signOut } from './session.ts'
import { Mark } from './sign-in.tsx'
import { count } from './text.ts'

/** Header, navigation and the view of the address. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const found = findRoute(routes, address.value.path)
  useEffect(readMe, [])
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
        <ConsoleLinks section={found?.route.section} className="top-nav" />
        <div class="who">
          <PaletteButton />
          <Caller />
          <button type="button" class="menu-button" popovertarget="sheet">
            Menu
          </button>
        </div>
        <Sheet site={found?.params.site} section={found?.route.section} />
      </header>
      {found?.params.site === undefined ? (
        <main ref={main} tabIndex={-1} class="content">
          {found ? <Viewed {...found} /> : <NoView />}
        </main>
      ) : (
        <WithSite key={found.params.site} id={found.params.site} section={found.route.section}>
          <main ref={main} tabIndex={-1} class="content">
            <Viewed {...found} />
          </main>
        </WithSite>
      )}
      <Waiting />
      <Announcer />
    </>
  )
}

function ConsoleLinks({
  section,
  className,
}: {
  readonly section: string | undefined
  readonly className?: string
}) {
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
      <button type="button" class="quiet sign-out" onClick={() => signOut()}>
        Sign out
      </button>
    </>
  )
}

/** On a phone, everything of the navigation: one bar is at the top, and this opens from below. */
function Sheet({
  site,
  section,
}: {
  readonly site: string | undefined
  readonly section: string | undefined
}) {
  const sheet = useRef<HTMLDivElement>(null)
  const { path } = address.value
  useEffect(() => {
    if (sheet.current?.matches(':popover-open')) sheet.current.hidePopover()
  }, [path])
  return (
    <div ref={sheet} id="sheet" popover="auto" class="sheet">
      {site !== undefined && <SiteLinks site={site} section={section} />}
      <ConsoleLinks section={section} />
      <div class="row">
        <Caller />
      </div>
    </div>
  )
}

/** Reads wait because there were too many. */
function Waiting() {
  return (
    <p class="waiting" role="status">
      {waiting.value !== undefined &&
        `Too many requests: it goes on in ${count(Math.max(waiting.value, 1), 'second')}.`}
    </p>
  )
}

/** After a reload of the page the token is there, but not its user. */
function readMe(): void {
  if (me.value === undefined)
    api()
      .getMe()
      .then(
        (answer) => {
          me.value = answer
        },
        () => {},
      )
}

/** Reads the site of the view, and shows its navigation. */
function WithSite({
  id,
  section,
  children,
}: {
  readonly id: string
  readonly section: string
  readonly children: ComponentChildren
}) {
  const { reading, reload } = useRead('listSites', { id: Number(id) })
  const site =
    reading.state === 'ready'
      ? reading.answer.sites.find(({ site_id }) => String(site_id) === id)
      : undefined
  if (site)
    return (
      <SiteContext.Provider value={site}>
        <div class="with-side">
          <SiteNavigation site={site} section={section} />
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

function SiteNavigation({
  site: { site_id, title, address: where },
  section,
}: {
  readonly site: SiteSummary
  readonly section: string
}) {
  return (
    <nav aria-label="Site" class="side">
      <p class="side-site">
        <strong dir="auto">{title}</strong>
        <span>{where}</span>
      </p>
      <SiteLinks site={String(site_id)} section={section} />
    </nav>
  )
}

function SiteLinks({
  site,
  section,
}: {
  readonly site: string
  readonly section: string | undefined
}) {
  return (
    <ul>
      {siteSections.map(([key, label, path]) => (
        <li key={key}>
          <a
            href={linkTo(`/sites/${site}${path}`)}
            aria-current={key === section ? 'page' : undefined}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

type Loadable =
  | { readonly route: Route; readonly View: ComponentType<ViewProps<string>> }
  | { readonly route: Route; readonly error: unknown }

/** Loads the view's file, then shows the view. */
function Viewed({
  route,
  params,
}: {
  readonly route: Route
  readonly params: Record<string, string>
}) {
  const loaded = useSignal<Loadable | undefined>(undefined)
  useEffect(() => {
    // The file of a former view may arrive after that of this one.
    let isOver = false
    const show = (one: Loadable) => {
      if (!isOver) loaded.value = one
    }
    route.load().then(
      (View) => show({ route, View }),
      (error) => show({ route, error }),
    )
    return () => {
      isOver = true
    }
  }, [route])
  const current = loaded.value
  if (current?.route !== route) return <Loading />
  if ('error' in current) return <ErrorNotice error={asServiceError(current.error)} />
  // Another path is another view, even of the same kind; other parameters after `?` are the same view.
  return <current.View key={address.value.path} params={params} query={address.value.query} />
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
