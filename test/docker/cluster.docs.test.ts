import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { EnvironmentSchema, parseConfig } from '../../src/host/config/config.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import {
  type ComposeService,
  interpolate,
  readComposeFile,
  requiredVariables,
  textOf,
} from './compose-file.ts'
import { portsOf, probeStatus, SECRETS } from './roles.ts'

const FILES = ['compose.yaml', 'compose.production.yaml', 'compose.cluster.yaml'] as const
const CLUSTER = 'docker/compose.cluster.yaml'
const VALUES = { ...SECRETS, DATABASE_PASSWORD: 'password', DATABASE_ROOT_PASSWORD: 'root' }

/** The schema of the Compose Specification, which the linter contains. */
const linter = createRequire(new URL('../packages/', import.meta.url)).resolve(
  'dclint/package.json',
)
const schema = JSON.parse(readFileSync(join(linter, '../schemas/compose.schema.json'), 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isValid = ajv.compile({ ...schema, $schema: undefined })

const { services } = readComposeFile(CLUSTER)
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined)

describe('the schema of the Compose Specification', () => {
  it.each(FILES)('accepts %s', (file) => {
    isValid(readComposeFile(`docker/${file}`))
    expect(isValid.errors).toBeNull()
  })

  it('rejects a misspelt field', () => {
    const { redis } = services
    expect(isValid({ services: { redis: { ...redis, helthcheck: {} } } })).toBe(false)
  })
})

type Values = Readonly<Record<string, string>>

const variablesOf = ({ environment = {} }: ComposeService, values: Values = VALUES): Values =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, interpolate(String(value), values)]),
  )

describe.each(ours)('the service %s of compose.cluster.yaml', (_, service) => {
  const variables = variablesOf(service)

  it('gets only variables that the service reads, with values that it accepts', () => {
    expect(Object.keys(variables).filter((name) => !(name in EnvironmentSchema.shape))).toEqual([])
    expect(parseConfig(variables).databaseUrl).toContain('@database-proxy:3306/')
  })

  it('has no rights that it does not need, and the time that it may take to end', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    const seconds = Number(variables.DRAIN_SECONDS) + TIMINGS.process.stopLimitMs / 1000
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(seconds)
  })

  it('has an address for each host in its variables', () => {
    const hosts = Object.values(variables).flatMap((value) =>
      /^\w+:\/\//.test(value) ? new URL(value).hostname : [],
    )
    expect(Object.keys(services)).toEqual(expect.arrayContaining(hosts))
  })
})

describe('compose.cluster.yaml', () => {
  it.each(['executor', 'front'])(
    'gives the service %s a folder, or the object store of the example',
    (name) => {
      const service = services[name]
      if (!service) throw new Error(`there is no service ${name}`)
      const folder = parseConfig(variablesOf(service))
      expect([folder.staticDir, folder.staticStore]).toEqual([
        '/var/lib/wp-frames/static',
        undefined,
      ])
      const example = textOf('docker/cluster.env.example')
      const lines = [...example.matchAll(/^#(STATIC_\w+|AWS_\w+)=(.*)$/gm)]
      const chosen = Object.fromEntries(
        lines.map(([, key = '', value = '']) => [key, value || 'key']),
      )
      const store = parseConfig(variablesOf(service, { ...VALUES, ...chosen, STATIC_DIR: '' }))
      expect([store.staticDir, store.staticStore?.address.bucket]).toEqual([undefined, 'bucket'])
    },
  )

  it('requires only variables that the example contains', () => {
    const named = [...textOf('docker/cluster.env.example').matchAll(/^([A-Z_]+)=/gm)]
    const names = named.map(([, name]) => name)
    expect(names).toEqual(expect.arrayContaining(requiredVariables(textOf(CLUSTER))))
  })

  it('has three nodes with three names, which the proxy knows', () => {
    const config = textOf('docker/cluster/database-proxy.cfg')
    const nodes = [...config.matchAll(/^ +server (\S+) "\1\.\$\{DATABASE_DOMAIN\}:3306"/gm)]
    const databases = Object.keys(services).filter((name) => /^database-\d/.test(name))
    expect(nodes.map(([, name]) => name)).toEqual(databases)
    expect(databases).toHaveLength(3)
  })
})

describe('the proxy of the APIs and fronts', () => {
  const config = textOf('docker/cluster/http-proxy.cfg')

  it.each(['api', 'front'])('sends requests to the port of the %s', (role) => {
    const [, name, port] =
      new RegExp(`server-template ${role} \\S+ (\\S+):(\\d+)`).exec(config) ?? []
    expect(services[name ?? '']?.command).toEqual(['serve', role])
    expect(Number(port)).toBe(portsOf(role, {}).http)
    expect(config).toContain(`bind :${port}`)
  })

  it('asks at a path at which both answer', async () => {
    const [, path = ''] = /uri (\S+)/.exec(config) ?? []
    expect(await probeStatus('api', path)).toBe(200)
    expect(await probeStatus('front', path)).toBe(200)
  })
})
