import type { DomainErrorSentences } from '../errors.ts'

/** What operators read of each kind of domain error. */
export const CLI_SENTENCES: DomainErrorSentences = {
  page_not_found: ({ ref }) => `This site has no page "${ref}".`,
  ambiguous_page: ({ ref, total, candidates }) =>
    `${total} pages match "${ref}": ${candidates.map(({ id, path }) => `${path} (${id})`).join(', ')}${candidates.length < total ? ', ...' : ''}. Name one by its id or its full path.`,
  menu_not_found: ({ ref }) =>
    `This site has no menu "${ref}". Name it by its id, slug or name, or by a location, as in ~header.`,
  menu_deleted: ({ ref }) => `The menu "${ref}" was deleted while this command ran.`,
  ambiguous_menu: ({ ref, candidates }) =>
    `${candidates.length} menus match "${ref}". Name one by its id or its slug.`,
  menu_not_assigned: ({ location, lang, theme }) =>
    `No menu is assigned to the location "${location}"${lang === undefined ? '' : ` in the language "${lang}"`} of the theme "${theme}".`,
  option_damaged: ({ option, reason }) =>
    `The option "${option}" is damaged (${reason}), so nothing was written to it. Repair it in WordPress and try again.`,
  assignment_not_stored: () =>
    'The database accepted the assignment but stores a different value, so the write was rolled back. Look for a trigger on the options table.',
  theme_option_invalid: ({ length }) =>
    `The site's option "stylesheet" is not the name of a theme folder (${length} characters), so no option stores its locations. Choose a theme in WordPress.`,
  theme_spelling: ({ theme, spelling }) => `The theme "${theme}" must be spelled "${spelling}".`,
  menu_name_missing: () => 'The menu has no name.',
  menu_name_too_long: ({ limit, unit }) =>
    `The name of the menu must have at most ${limit} ${unit}.`,
  items_malformed: () => 'Some items are malformed, so nothing was written.',
  items_unresolved: () =>
    'Some items name a page that does not exist or is ambiguous, so nothing was written.',
  items_unpublished: () => 'Some items link a page that is not published, so nothing was written.',
  item_target_missing: ({ message }) => message,
  item_page_not_found: ({ message }) => message,
  item_page_ambiguous: ({ message }) => message,
  item_not_found: ({ id }) => `The menu has no item ${id}.`,
  item_below_itself: () => 'An item cannot be a child of itself or of its own branch.',
  item_too_deep: ({ levels }) => `A menu has at most ${levels} levels.`,
  menu_too_large: ({ items, levels }) => `A menu has at most ${items} items on ${levels} levels.`,
  wrong_level: ({ level }) =>
    `The order must list items of one level, each once. The items of this level: ${level.join(', ') || 'none'}.`,
  unknown_location: ({ locations }) =>
    `Unknown location. A menu can be assigned to ${locations.join(', ')}.`,
  unknown_language: ({ languages }) =>
    `Unknown language. The languages of this site: ${languages.join(', ') || 'none'}.`,
  polylang_inactive: () => 'Polylang is not active on this site, so its menus have no languages.',
}
