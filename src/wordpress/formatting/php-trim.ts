const EDGES = /^[ \t\n\r\v\0]+|(?<![ \t\n\r\v\0])[ \t\n\r\v\0]+$/g

/** PHP's `trim`: only ASCII white space and NUL go; JavaScript's `trim` would take U+00A0 too. */
export const phpTrim = (text: string): string => text.replace(EDGES, '')
