/** Posts of a site that are named at a time; for more, all posts are compared. */
export const MAX_NAMED_POSTS = 500
/** Options of a site that are named at a time; for more, all options are compared. */
export const MAX_NAMED_OPTIONS = 200
