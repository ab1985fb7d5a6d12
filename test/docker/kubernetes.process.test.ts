import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { EnvironmentSchema, parseConfig } from '../../src/host/config/config.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import { ROOT, textOf } from './compose-file.ts'
import { portsOf, probeStatus, SECRETS } from './roles.ts'

const FOLDER = 'docker/kubernetes'
/** All objects of all manifests. */
const manifests = readdirSync(join(ROOT, FOLDER)).flatMap((file) =>
  parseAllDocuments(textOf(`${FOLDER}/${file}`)).map((document) => document.toJS()),
)
/** A part of a manifest, as it is. */
type Part = (typeof manifests)[number]
const named = manifests.map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
)
const ofKind = (...kinds: string[]): Part[] => manifests.filter(({ kind }) => kinds.includes(kind))
const running = ofKind('Deployment', 'StatefulSet')
const containerOf = ({ spec }: Part) => spec.template.spec.containers[0]
const isOurs = (manifest: Part): boolean => containerOf(manifest).image.startsWith('wp-frames:')
const ours = [...running, ...ofKind('Job')].filter(isOurs)

/** The variables that a container gets from ConfigMaps. */
function variablesOf({ envFrom = [] }: Part): Record<string, string> {
  const maps = envFrom.flatMap(({ configMapRef }: Part) => configMapRef?.name ?? [])
  const used = ofKind('ConfigMap').filter(({ metadata }) => maps.includes(metadata.name))
  return Object.assign({}, ...used.map(({ data }) => data))
}

describe.each(ours.map((manifest) => [manifest.metadata.name, manifest] as const))(
  'the pods of %s',
  (_, manifest) => {
    const container = containerOf(manifest)
    const { spec } = manifest.spec.template
    const variables = variablesOf(container)

    it('get only variables that the service reads, with values that it accepts', () => {
      expect(Object.keys(variables)).not.toEqual([])
      expect(Object.keys(variables).filter((name) => !(name in EnvironmentSchema.shape))).toEqual(
        [],
      )
      expect(parseConfig({ ...variables, ...SECRETS }).suspectVariables).toEqual([])
    })

    it('end within their grace period', () => {
      if (manifest.kind === 'Job') return
      const seconds = Number(variables.DRAIN_SECONDS) + TIMINGS.process.stopLimitMs / 1000
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(seconds)
    })

    it('are probed at paths and ports at which the process answers', async () => {
      if (manifest.kind === 'Job') return
      const [, role = ''] = container.args ?? []
      const { startupProbe, livenessProbe, readinessProbe } = container
      const ports = new Map(
        container.ports?.map(({ name, containerPort }: Part) => [name, containerPort]),
      )
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        expect(ports.get(probe?.httpGet?.port ?? '')).toBe(portsOf(role, variables).http)
        expect(await probeStatus(role, probe?.httpGet?.path ?? '')).toBe(200)
      }
      // A front whose database is away serves copies.
      expect(readinessProbe?.httpGet?.path).toBe(role === 'front' ? '/healthz' : '/readyz')
      expect(ports.get('metrics')).toBe(portsOf(role, variables).metrics)
    })

    it('have the static copies in the folder of the image, if they read or write them', () => {
      const [, folder] = /STATIC_DIR=(\S+)/.exec(textOf('docker/Dockerfile')) ?? []
      const mounted = container.volumeMounts?.map(({ mountPath }: Part) => mountPath) ?? []
      const usesCopies = ['executor', 'front'].includes(container.args?.[1] ?? '')
      expect(mounted).toEqual(usesCopies ? [folder] : [])
    })
  },
)

describe('all pods', () => {
  it.each(named.filter(([, { spec }]) => spec?.template !== undefined))(
    'of %s are restricted and have limits',
    (_, manifest) => {
      const { spec } = manifest.spec.template
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(containerOf(manifest)).toMatchObject({
        resources: { requests: expect.anything(), limits: { memory: expect.anything() } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      })
    },
  )

  it('of several replicas have a disruption budget that lets one of them go', () => {
    for (const { metadata, spec } of running.filter(({ spec }) => (spec.replicas ?? 0) > 1)) {
      const budget = ofKind('PodDisruptionBudget').find(
        (one) => one.metadata.name === metadata.name,
      )
      expect(budget?.spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
      const { minAvailable, maxUnavailable } = budget?.spec ?? {}
      expect(maxUnavailable ?? (spec.replicas ?? 0) - (minAvailable ?? 0)).toBe(1)
    }
  })

  it('are found by their Services at ports that they have', () => {
    for (const { spec } of ofKind('Service')) {
      const target = running.find(
        ({ spec: { template } }) => template.metadata.labels.app === spec.selector.app,
      )
      const ports = target && containerOf(target).ports?.map(({ name }: Part) => name)
      expect(ports).toEqual(
        expect.arrayContaining(spec.ports.map(({ targetPort }: Part) => targetPort)),
      )
    }
  })
})

describe('addresses in the settings', () => {
  const services = new Map(
    ofKind('Service').map(({ metadata, spec }) => [metadata.name, spec.ports[0]?.port]),
  )
  const addresses = [
    ...textOf('docker/kubernetes/settings.yaml').matchAll(/(?:http|mysql|redis):\/\/\S+/g),
  ].map(([text]) => new URL(text))

  it('are those of Services', () => {
    expect(addresses).toHaveLength(3)
    for (const { hostname, port } of addresses) expect(services.get(hostname)).toBe(Number(port))
  })
})

it('the proxy of the database has the configuration that the cluster of Compose has', () => {
  const map = ofKind('ConfigMap').find(({ metadata }) => metadata.name === 'database-proxy')
  expect(map?.data?.['haproxy.cfg']).toBe(textOf('docker/cluster/database-proxy.cfg'))
})
