import { useSiteRead } from '../../calls.ts'
import { authorOf } from '../../entries.ts'
import { Button } from '../../parts/fields.tsx'
import { More, Time } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { inSite, linkTo, path } from '../../router.ts'
import { textOf } from '../../text.ts'
import { changesBetween, useEditedMenu } from './edited-menu.ts'
import { TreeView } from './tree-view.tsx'

/** Changes that are listed. */
const MAX_LISTED = 50

/** Somebody else has stored the menu: who, what it changed, and the own unsaved tree beside it. */
export function Conflict() {
  const { draft, menu, isRtl } = useEditedMenu()
  const kept = draft.conflict.value
  const { answer } = useSiteRead(
    'listHistory',
    kept && { kind: 'menu', ref: String(menu.id), limit: 1 },
  )
  if (!kept) return null
  const entry = answer?.entries[0]
  const changes = kept.base.length > 0 ? changesBetween(kept.base, draft.base.tree) : []
  return (
    <Notice tone="warn" title="The menu was stored by somebody else while you edited it">
      {entry && (
        <p>
          The last write was by <bdi>{authorOf(entry, answer?.names)}</bdi>, <Time at={entry.at} />.{' '}
          <a href={linkTo(inSite(path`/history/${entry.id}`))}>Show it</a>
        </p>
      )}
      {changes.length > 0 && (
        <ul class="changes" aria-label="What was changed meanwhile">
          {changes.slice(0, MAX_LISTED).map(({ change, title }, at) => (
            <li key={at}>
              <span class="badge warn">{change}</span> <bdi>{textOf(title)}</bdi>
            </li>
          ))}
          <More left={changes.length - MAX_LISTED} one="change" as="li" />
        </ul>
      )}
      <p>The editor shows the menu as it is stored now. Your unsaved items:</p>
      <div class="mine">
        <TreeView
          label="Your unsaved items"
          tree={kept.tree}
          isRtl={isRtl}
          chosen={-1}
          marksOf={() => []}
          onChoose={() => {}}
        />
      </div>
      <p class="row">
        <Button label="Go on with mine" onClick={() => draft.takeOver(kept.tree)} />
        <Button label="Discard mine" class="quiet" onClick={() => draft.discard()} />
        <span>Before anything is stored, you see what would change.</span>
      </p>
    </Notice>
  )
}
