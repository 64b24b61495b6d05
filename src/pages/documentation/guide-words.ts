import { readFileSync } from 'node:fs'
import {
  CONFIGURATION_NOTE,
  clientConfigurations,
  SIGN_IN_NOTE,
  signInConfigurations,
} from '../../access/client-configuration.ts'
import { EXIT_CODES } from '../../contract/declarations/exit-codes.ts'
import type { EventTypes } from '../../contract/documents/event-types.ts'
import { durationInWords } from '../../format/durations.ts'
import { listed } from '../../format/lists.ts'
import { type Catalogue, resourcePath, resourceTitle } from './catalogue.ts'
import { errorTable } from './error-pages.ts'
import type { GuideWords } from './guides.ts'
import { fence } from './page.ts'

const RECEIVERS = new URL('../../../examples/receivers/', import.meta.url)
const LANGUAGES: Record<string, string> = {
  'receiver.ts': 'typescript',
  'receiver.py': 'python',
  'receiver.rb': 'ruby',
}

/** Settings of this service that guides mention. */
export interface DocumentedSettings {
  /** The name of the header with the signature of a webhook's body. */
  signatureHeader: string
  ratePerMinute: number
  rateBurst: number
  slowPerMinute: number
  webhookTimeoutSeconds: number
  /** The seconds between the attempts to deliver a webhook. */
  webhookRetryGaps: readonly number[]
  settings: readonly { name: string; fallback: string; meaning: string }[]
}

export interface ServiceFacts {
  publicUrl: string
  documented: DocumentedSettings
}

export function guideWords(
  { publicUrl, documented }: ServiceFacts,
  catalogue: Catalogue,
  eventTypes: EventTypes,
): GuideWords {
  const { signatureHeader, ratePerMinute, rateBurst, slowPerMinute } = documented
  return {
    ...{ publicUrl, signatureHeader },
    ratePerMinute: String(ratePerMinute),
    rateBurst: String(rateBurst),
    slowPerMinute: String(slowPerMinute),
    webhookTimeout: String(documented.webhookTimeoutSeconds),
    webhookGaps: listed(documented.webhookRetryGaps.map(durationInWords)),
    operationCount: String(catalogue.operations.length),
    clientsNote: CONFIGURATION_NOTE,
    clients: clientBlocks(publicUrl),
    signInNote: SIGN_IN_NOTE,
    signInClients: signInTable(publicUrl),
    receivers: receiverBlocks(),
    errors: errorTable(),
    eventTypes: eventTypeLines(eventTypes),
    settings: settingTable(documented),
    exitCodes: exitCodeTable(),
  }
}

function settingTable({ settings }: DocumentedSettings): string {
  const rows = settings.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  )
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

function exitCodeTable(): string {
  const rows = Object.values(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`)
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n')
}

function clientBlocks(publicUrl: string): string {
  return clientConfigurations(publicUrl)
    .map(({ client, place, text }) => {
      const language = place === 'a terminal' ? 'bash' : `${place.split('.').at(-1)} ${place}`
      return `### ${client}\n\n${fence(language, text)}`
    })
    .join('\n\n')
}

function signInTable(publicUrl: string): string {
  const rows = signInConfigurations(publicUrl).map(
    ({ client, place, text }) => `| ${client} | ${place} | \`${text}\` |`,
  )
  return ['| Client | Where | What to enter |', '|---|---|---|', ...rows].join('\n')
}

function receiverBlocks(): string {
  return Object.entries(LANGUAGES)
    .map(([file, language]) => fence(language, readFileSync(new URL(file, RECEIVERS), 'utf8')))
    .join('\n\n')
}

function eventTypeLines({ all }: EventTypes): string {
  const ofResources = Map.groupBy(all, ({ resource }) => resource)
  return [...ofResources]
    .map(([resource, types]) => {
      const entries = types.map((type) => `### ${type.name}\n\n${type.description}`)
      return `## ${resourceTitle(resource)}\n\nThe data is [${resource}](${resourcePath(resource)}).\n\n${entries.join('\n\n')}`
    })
    .join('\n\n')
}
