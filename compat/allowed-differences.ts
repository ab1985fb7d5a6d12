/**
 * The allowed differences between the rows of a menu that WordPress wrote and those of the same menu that the API wrote, with reasons.
 * Ids are not listed: they are renumbered before the rows are compared.
 */
export const ALLOWED_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  posts: {
    post_date: 'time of the write',
    post_date_gmt: 'time of the write',
    post_modified: 'time of the write',
    post_modified_gmt: 'time of the write',
  },
  options: {
    nav_menu_options:
      'the menu screen rewrites the list of menus that get new pages at every save; the API does not change it',
    svc_menu_names: 'the lock that the API uses to choose names of menus',
  },
}
