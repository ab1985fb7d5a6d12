/** A dialog that writes a stored frame, if it is still this version of it. */
export type FrameDialogProps = {
  readonly site: number
  readonly slug: string
  readonly etag: string
  readonly onClose: () => void
}
