import type { Output } from '../../../../client/src/index.ts'

/** A menu in the list of menus. */
export type Menu = Output<'listMenus'>['menus'][number]

/** The languages in which a menu is shown. */
export const langsOf = ({ assigned }: Pick<Menu, 'assigned'>): readonly string[] => [
  ...new Set(assigned.flatMap(({ lang }) => lang ?? [])),
]

/** `header (fr), footer_1 (fr)`. */
export const assignedText = ({ assigned }: Pick<Menu, 'assigned'>): string =>
  assigned.length === 0
    ? 'unassigned'
    : assigned
        .map(({ location, lang }) => (lang === null ? location : `${location} (${lang})`))
        .join(', ')
