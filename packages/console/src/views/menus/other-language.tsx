import { useSiteRead } from '../../calls.ts'
import { Button, Select } from '../../parts/fields.tsx'
import { More } from '../../parts/list.tsx'
import { Loaded } from '../../parts/notice.tsx'
import { inSite, linkTo, parameter, path, replaceQuery } from '../../router.ts'
import { langsOf, type Menu, useEditedMenu } from './edited-menu.ts'
import { isUntranslated, type Tree, type TreeItem, translated, treeOf } from './tree.ts'
import { titleOf, urlOf } from './tree-view.tsx'

type Adding = {
  /** Undefined if the token may not write menus. */
  readonly onAdd: ((item: TreeItem) => void) | undefined
}

/** Another menu beside this one, such as that of another language, with what this one lacks. */
export function OtherLanguage({ onAdd }: Adding) {
  const { menu, listed } = useEditedMenu()
  const others = relatedMenus(menu, listed)
  const other = others.find(({ id }) => String(id) === parameter('beside'))
  const { reading, reload } = useSiteRead(
    'getMenu',
    other && { ref: String(other.id), links: true },
  )
  if (others.length === 0) return null
  return (
    <section class="panel" aria-label="Another menu beside this one">
      <div class="panel-head">
        <h2>Beside it</h2>
        <Select
          label="Another menu"
          isBare
          value={other?.id ?? ''}
          options={[['', 'none'], ...others.map((one) => [one.id, nameOf(one)] as const)]}
          onChange={(beside) => replaceQuery({ beside })}
        />
      </div>
      {other && (
        <Loaded reading={reading} retry={reload}>
          {({ items }) => <Beside {...{ onAdd, other }} tree={treeOf(items)} />}
        </Loaded>
      )}
    </section>
  )
}

const nameOf = (menu: Menu): string =>
  langsOf(menu).length > 0 ? `${menu.name} (${langsOf(menu).join(', ')})` : menu.name

/** Menus at the same location in other languages first, then all others. */
function relatedMenus(menu: Menu, listed: readonly Menu[]): readonly Menu[] {
  const own = new Set(menu.assigned.map(({ location }) => location))
  const isNear = (one: Menu): number =>
    one.assigned.some(({ location }) => own.has(location)) ? 0 : 1
  return listed
    .filter(({ id }) => id !== menu.id)
    .sort((a, b) => isNear(a) - isNear(b) || a.name.localeCompare(b.name))
}

/** Rows that are shown; a menu of a site has rarely more. */
const MAX_ROWS = 200

type BesideProps = {
  readonly other: Menu
  readonly tree: Tree
}

function Beside({ other, tree, onAdd }: BesideProps & Adding) {
  const { draft, lang } = useEditedMenu()
  const here = new Set(draft.tree.value.flatMap(linksOf))
  const rows = tree.map((item) => ({ item, state: stateOf(item, lang, here) }))
  const missing = rows.filter(({ state }) => state !== 'here').length
  return (
    <>
      <p class="hint panel-body">
        {missing === 0
          ? `This menu has all items of ${other.name}.`
          : `This menu lacks ${missing} of ${tree.length} items of ${other.name}.`}{' '}
        <a href={linkTo(inSite(path`/menus/${other.id}`))}>Edit the other menu</a>
      </p>
      <ul class="beside">
        {rows.slice(0, MAX_ROWS).map(({ item, state }) => (
          <li
            key={item.key}
            style={{ paddingInlineStart: `${0.5 + 1.25 * Math.min(item.depth, 8)}rem` }}
          >
            <bdi>{titleOf(item)}</bdi>{' '}
            <span class={`badge ${state === 'here' ? 'good' : 'warn'}`}>{STATES[state]}</span>
            {onAdd && state === 'missing' && (
              <Button
                label="Add"
                class="quiet"
                aria-label={`Add ${titleOf(item)}`}
                onClick={() => onAdd(translated(item, lang))}
              />
            )}
          </li>
        ))}
        <More left={rows.length - MAX_ROWS} as="li" />
      </ul>
    </>
  )
}

type State = 'here' | 'missing' | 'untranslated'

const STATES: Readonly<Record<State, string>> = {
  here: 'in both',
  missing: 'missing here',
  untranslated: 'its page is not translated',
}

function stateOf(item: TreeItem, lang: string | undefined, here: ReadonlySet<string>): State {
  if (linksOf(item).some((link) => here.has(link))) return 'here'
  return isUntranslated(item, lang) ? 'untranslated' : 'missing'
}

/** What an item links, in all languages. */
function linksOf(item: TreeItem): string[] {
  const { type, object, object_id: id } = item.fields
  if (type === 'custom') return [urlOf(item)]
  if (type !== 'post_type') return [`${type} ${object} ${id}`]
  return [id, ...Object.values(item.target.translations)].map((one) => `post ${one}`)
}
