import type { DomainErrorSentences } from '../errors.ts'

/** What clients of the API read of each kind of domain error: what happened, and which request to send instead. */
export const API_SENTENCES: DomainErrorSentences = {
  page_not_found: ({ ref }) => `This site has no page "${ref}".`,
  ambiguous_page: ({ ref, total, candidates }) =>
    `${total} pages match "${ref}". Name one by its id or its full path.${
      candidates.length < total ? ` Only the first ${candidates.length} are listed.` : ''
    }`,
  menu_not_found: ({ ref, similar }) =>
    `This site has no menu "${ref}".${similar === undefined ? '' : ` Did you mean "${similar}"?`} Name it by its id, slug or name, or by a location, as in ~header.`,
  menu_deleted: ({ ref }) => `The menu "${ref}" was deleted while this request ran.`,
  ambiguous_menu: ({ ref, candidates }) =>
    `${candidates.length} menus match "${ref}". Name one by its id or its slug.`,
  menu_not_assigned: ({ location, lang, theme }) =>
    `No menu is assigned to the location "${location}"${lang === undefined ? '' : ` in the language "${lang}"`} of the theme "${theme}".`,
  option_damaged: ({ option, reason }) =>
    `The option "${option}" is damaged (${reason}), so nothing was written to it. Repair it in WordPress and try again.`,
  assignment_not_stored: () =>
    'The database accepted the assignment but stores a different value, so the write was rolled back. Look for a trigger or a filter on the options.',
  theme_option_invalid: ({ length }) =>
    `The site's option "stylesheet" is not the name of a theme folder (${length} characters), so no option stores its locations. Choose a theme in WordPress, or send its name in "theme".`,
  theme_spelling: ({ theme, spelling }) =>
    `Invalid parameter(s): theme. "${theme}" must be spelled "${spelling}".`,
  menu_term_shared: ({ taxonomy }) =>
    `The menu shares its term with the taxonomy "${taxonomy}", whose term would be renamed too. Save the menu once in WordPress (Appearance, Menus), which splits the term, and try again with the new id.`,
  menu_name_missing: () => 'A menu needs a name. Send it as a text in "name".',
  menu_name_too_long: ({ limit, unit }) =>
    `Invalid parameter(s): name. It must have at most ${limit} ${unit}.`,
  items_malformed: () =>
    'Some items are malformed, so nothing was written. "errors" lists each item and its problem.',
  items_unresolved: () =>
    'Some items name a page that does not exist or is ambiguous, so nothing was written. "errors" lists these items.',
  items_unpublished: () =>
    'Some items link a page that is not published, so nothing was written. Publish the page, or leave these items out; where a whole tree is sent, "allow_invalid" does that.',
  item_target_missing: ({ message }) => message,
  item_page_not_found: ({ message }) => message,
  item_page_ambiguous: ({ message }) => message,
  item_not_found: ({ id }) => `This menu has no item ${id}.`,
  item_below_itself: () =>
    'An item cannot be a child of itself or of its own branch. Name another parent.',
  item_too_deep: ({ levels }) => `A menu has at most ${levels} levels. Name a higher parent.`,
  menu_too_large: ({ items, levels }) =>
    `A menu has at most ${items} items on ${levels} levels; this write would exceed that.`,
  wrong_level: ({ level }) =>
    `The list "order" must have items of one level, each once. The items of this level: ${level.join(', ') || 'none'}.`,
  unknown_location: ({ locations }) =>
    `Unknown location. A menu can be assigned to ${locations.join(', ')}.`,
  unknown_language: ({ languages }) =>
    `Unknown language. The languages of this site: ${languages.join(', ') || 'none'}.`,
  polylang_inactive: () =>
    'Polylang is not active on this site, so its menus have no languages. Leave "lang" out.',
}
