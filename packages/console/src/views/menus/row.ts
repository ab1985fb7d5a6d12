/** Height of a row in CSS pixels; that of `.branch` in `menus.css`. */
export const ROW = 52
