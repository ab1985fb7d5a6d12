import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveWordPress } from '../../compat/setup/serve-wordpress.ts'
import { isDeadlock } from '../../src/db/database-error.ts'
import { fixSite } from '../../src/doctor/fix.ts'
import { untilCopiesEqual } from '../support/compare-copies.ts'
import { Deployment, type Layout } from '../support/deployment.ts'
import { Random } from '../support/random.ts'
import { spread, Tally } from '../support/tally.ts'
import {
  createTortureFixture,
  makeAccount,
  makeFeedAccount,
  type TortureFixture,
} from '../support/torture-fixture.ts'
import type { Conditions, Findings } from '../trial.ts'
import { type EditDisruption, editDisruptions } from './disruptions.ts'
import { type AnyEdit, Editor } from './editor.ts'
import { prepareSharedSite, type SharedSite } from './prepare-site.ts'
