import type { ComponentChildren } from 'preact'

/** A part of a view with a title. */
export function Panel({
  title,
  className = '',
  children,
}: {
  readonly title: string
  /** Of its content. */
  readonly className?: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      <div class={`panel-body stack ${className}`}>{children}</div>
    </section>
  )
}
