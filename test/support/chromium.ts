import { type Browser, chromium } from '../packages/playwright.ts'
import { programPath } from './programs.ts'

/** Prevents the browser from sending requests of its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser, in a group of `describeWith('chromium', ...)`. @param flags more of its flags [none] */
export const launchChromium = (flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: programPath('chromium'), args: [...FLAGS, ...flags] })
