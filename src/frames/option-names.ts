/** The options that hold a site's frames (decisions, section 5). */
export const REGISTRY_OPTION = 'svc_frames'

/** A word that every write of a site's frames draws anew, so that what was read before can be told from what is true. */
export const VERSION_OPTION = 'svc_frames_version'

/** The post meta by which a page stands on a frame; its value is the frame's id. */
export const PAGE_META_KEY = '_svc_frame'

export const recordOption = (id: string): string => `svc_frame_${id}`
export const metaOption = (id: string): string => `${recordOption(id)}_meta`
export const bakedOption = (id: string): string => `${recordOption(id)}_baked`
