/**
 * What may differ between the rows of a menu that WordPress wrote and those of the same menu that the API wrote, and why. Ids are not here:
 * they are counted anew before the rows are compared, wherever they stand.
 */
export const ALLOWED_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  posts: {
    post_date: 'when it was written',
    post_date_gmt: 'when it was written',
    post_modified: 'when it was written',
    post_modified_gmt: 'when it was written',
  },
  options: {
    nav_menu_options:
      'the menu screen rewrites the list of menus that get new pages at every save; the API has nothing to say about it',
    svc_menu_names: 'the lock under which the API names menus',
  },
}
