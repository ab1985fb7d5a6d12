import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { remember } from '../recent.ts'
import { address, linkTo } from '../router.ts'
import { AfterWrite } from './after-write.tsx'

type PageProps = {
  readonly title: string
  /** The title is content of a user: a slug, or the title of a page. */
  readonly isContent?: boolean
  /** Above the title: where this is. */
  readonly trail?: readonly { readonly label: string; readonly href: string }[]
  /** One sentence below the title. */
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The frame of a view. After a navigation the heading gets the focus, so that a screen reader reads it. */
export function Page({ title, isContent, trail = [], lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { path } = address.value
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [path])
  useEffect(() => {
    document.title = `${title} - wp-frames`
    const { label: note } = trail.at(-1) ?? { label: '' }
    // Views of a list are found by their names.
    if (note !== '') remember({ label: title, note, href: linkTo(path) })
  }, [title, path])
  return (
    <>
      <div class="page-head">
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb" class="trail">
            <ol>
              {trail.map(({ label, href }) => (
                <li key={href}>
                  <a href={href} dir="auto">
                    {label}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1} dir={isContent ? 'auto' : undefined}>
            {title}
          </h1>
          {actions && <div class="actions">{actions}</div>}
        </div>
        {lead && <p class="lead">{lead}</p>}
      </div>
      <AfterWrite />
      {children}
    </>
  )
}

type PanelProps = {
  readonly title: string
  /** Of its content. */
  readonly className?: string
  readonly children: ComponentChildren
}

/** A part of a view with a title. */
export function Panel({ title, className = '', children }: PanelProps) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      <div class={`panel-body stack ${className}`}>{children}</div>
    </section>
  )
}

/** What is known of one thing, by name. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, fact]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
