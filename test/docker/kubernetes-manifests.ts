import { readdirSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { ROOT, textOf } from './compose-file.ts'

const FOLDER = 'docker/kubernetes'

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
  readonly kind:
    | 'ConfigMap'
    | 'Deployment'
    | 'Job'
    | 'PersistentVolumeClaim'
    | 'PodDisruptionBudget'
    | 'Service'
    | 'StatefulSet'
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
