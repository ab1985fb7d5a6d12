/** The folder of everything that the demo writes. It can be deleted at any time. */
export const DATA_FOLDER = '.data'
