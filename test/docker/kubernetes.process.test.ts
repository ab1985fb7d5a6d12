import { describe, expect, it } from 'vitest'
import { EnvironmentSchema, parseConfig } from '../../src/host/config/config.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import { textOf } from './compose-file.ts'
import { type Container, type Manifest, readManifests } from './kubernetes-manifests.ts'
import { portsOf, probeStatus, SECRETS } from './roles.ts'

const manifests = readManifests()
const named = manifests.map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
)
const ofKind = (...kinds: Manifest['kind'][]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind))
const running = ofKind('Deployment', 'StatefulSet')
const containerOf = ({ spec }: Manifest): Container => spec.template.spec.containers[0]
const isOurs = (manifest: Manifest): boolean => containerOf(manifest).image.startsWith('wp-frames:')
const ours = [...running, ...ofKind('Job')].filter(isOurs)

/** The variables that a container gets from ConfigMaps. */
function variablesOf({ envFrom = [] }: Container): Record<string, string> {
  const maps = envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])
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
        container.ports?.map(({ name, containerPort }) => [name, containerPort]),
      )
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        expect(ports.get(probe?.httpGet?.port ?? '')).toBe(portsOf(role, variables).http)
        expect(await probeStatus(role, probe?.httpGet?.path ?? '')).toBe(200)
      }
      expect(readinessProbe?.httpGet?.path).toBe('/readyz')
      expect(ports.get('metrics')).toBe(portsOf(role, variables).metrics)
    })

    it('have the static copies in the folder of the image, if they read or write them', () => {
      const [, folder] = /STATIC_DIR=(\S+)/.exec(textOf('docker/Dockerfile')) ?? []
      const mounted = container.volumeMounts?.map(({ mountPath }) => mountPath) ?? []
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
      const ports = target && containerOf(target).ports?.map(({ name }) => name)
      expect(ports).toEqual(expect.arrayContaining(spec.ports.map(({ targetPort }) => targetPort)))
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
