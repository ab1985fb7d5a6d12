/*
 * The options and the post meta that store the frames of a site:
 *
 *   svc_frames             PHP array, id => slug    the registry; its row is the write lock of the site's frames
 *   svc_frames_version     24 hexadecimal digits    nonce that every write of frames replaces
 *   svc_frame_<id>         PHP array                the record: slug, markup, times, author (record.ts)
 *   svc_frame_<id>_meta    JSON                     summary of the markup, for lists and the graph (record.ts)
 *   svc_frame_<id>_baked   JSON lines               the baked copy (baking/baked-copy.ts)
 *   _svc_frame             frame id                 post meta of a page: the frame that renders it
 *   svc_data_<name>        JSON or PHP array        a data set; the service writes `variables` only, as JSON
 *
 * frames/ writes all of them except the baked copies, which the executor writes. The legacy PHP endpoint may still write the registry and
 * records, in older formats and without updating the nonce or the meta.
 */
export const REGISTRY_OPTION = 'svc_frames'
export const VERSION_OPTION = 'svc_frames_version'
export const PAGE_META_KEY = '_svc_frame'

export const recordOption = (id: string): string => `svc_frame_${id}`
export const metaOption = (id: string): string => `${recordOption(id)}_meta`
export const bakedOption = (id: string): string => `${recordOption(id)}_baked`

/** Prefix of the options that contain datasets. */
export const DATASET_PREFIX = 'svc_data_'
export const datasetOption = (name: string): string => `${DATASET_PREFIX}${name}`
