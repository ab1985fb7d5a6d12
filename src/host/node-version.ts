import { readFileSync } from 'node:fs'

/** What to do if this version of Node.js is too old; undefined if it is not. `.ci/check-node.mjs` does the same for a clone. */
export function describeNodeVersion(version: string): string | undefined {
  const { engines } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return isSupported(version, engines.node)
    ? undefined
    : `wp-frames needs Node.js ${engines.node}; this is ${version}. Install a supported version, for example from https://nodejs.org, and run the command again.`
}

/** @param range alternatives such as `^20.19 || >=24` */
function isSupported(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return range.split('||').some((alternative) => {
    const [, sign, least = '0', leastMinor = '0'] =
      /^(\^|>=)(\d+)(?:\.(\d+))?$/.exec(alternative.trim()) ?? []
    if (sign === undefined) return false
    if (major === Number(least)) return minor >= Number(leastMinor)
    return sign === '>=' && major > Number(least)
  })
}
