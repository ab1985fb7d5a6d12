import { readdirSync } from 'node:fs'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Service } from 'kubernetes-models/v1/Service'
import { parseAllDocuments } from 'yaml'
import { ROOT, textOf } from './compose-file.ts'

const FOLDER = 'docker/kubernetes'

/** The kinds of objects in the manifests, with the validators of Kubernetes' OpenAPI schemas. */
const KINDS = {
  ConfigMap,
  Deployment,
  Job,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  StatefulSet,
}

type Probe = {
  readonly httpGet?: { readonly path: string; readonly port: string }
  readonly tcpSocket?: { readonly port: string }
}

export type Container = {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string }[]
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly name: string }
  }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly resources: object
  readonly securityContext: object
}

type Pod = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly terminationGracePeriodSeconds?: number
    readonly securityContext: object
    readonly automountServiceAccountToken: boolean
    readonly containers: readonly [Container]
  }
}

type Selector = { readonly matchLabels: Readonly<Record<string, string>> }

/** The fields that tests read. */
export type Manifest = {
  readonly file: string
  readonly apiVersion: string
  readonly kind: keyof typeof KINDS
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: {
    readonly replicas?: number
    readonly template: Pod
    readonly selector: Selector & Readonly<Record<string, string>>
    readonly minAvailable?: number
    readonly maxUnavailable?: number
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[]
  }
}

/** All objects of all manifests. */
export function readManifests(): readonly Manifest[] {
  return readdirSync(`${ROOT}/${FOLDER}`).flatMap((file) =>
    parseAllDocuments(textOf(`${FOLDER}/${file}`)).map((document) => ({
      ...document.toJS(),
      file,
    })),
  )
}

/** @throws errors that name each field with a wrong value or without one that it needs */
export function validateManifest({ file: _, ...manifest }: Manifest): void {
  const Model = KINDS[manifest.kind]
  new Model(manifest as never).validate()
}

/**
 * A program that TypeScript accepts only if the manifests have no field that Kubernetes does not know: the schemas allow unknown ones, which the server
 * drops.
 */
export function programOf(manifests: readonly Manifest[]): string {
  return manifests
    .map(({ file: _, ...manifest }, at) => {
      const { apiVersion, kind } = manifest
      return `import type { I${kind} as Kind${at} } from 'kubernetes-models/${apiVersion}/${kind}'
export const object${at}: Kind${at} = ${JSON.stringify(manifest, null, 2)}`
    })
    .join('\n')
}
