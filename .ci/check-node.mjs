// Says that Node.js is too old before anything is loaded that needs a later version. `src/host/node-version.ts` does the same for the package.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = (process.argv[2] ?? process.versions.node).split('.').map(Number)
const isSupported = engines.node.split('||').some((alternative) => {
  const [, sign, least, leastMinor = '0'] = /^(\^|>=)(\d+)(?:\.(\d+))?$/.exec(alternative.trim())
  return major === Number(least)
    ? minor >= Number(leastMinor)
    : sign === '>=' && major > Number(least)
})
if (!isSupported) {
  process.stderr.write(
    `wp-frames needs Node.js ${engines.node}; this is ${major}.${minor}. Install a supported version, for example from https://nodejs.org, and run the command again.\n`,
  )
  process.exitCode = 1
}
