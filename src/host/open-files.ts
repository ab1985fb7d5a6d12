/** Loading the modules of the program opens some 200 files at once. */
const MIN_OPEN_FILES = 256

/** The process report of Node.js, as far as it is read here. On Windows it has no limits. */
type ProcessReport = { readonly userLimits?: { readonly open_files?: { readonly soft: unknown } } }

/** What to do if the operating system lets the process open too few files; undefined if it lets it open enough. */
export function describeFileLimit(): string | undefined {
  const report = process.report.getReport() as ProcessReport
  const limit = report.userLimits?.open_files?.soft
  if (typeof limit !== 'number' || limit >= MIN_OPEN_FILES) return undefined
  return `The process may open ${limit} files, but wp-frames needs at least ${MIN_OPEN_FILES}, and one more for each connection. Raise the limit, for example with "ulimit -n 4096" or LimitNOFILE=4096 in the systemd unit.`
}
