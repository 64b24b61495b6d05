import { readFileSync } from 'node:fs'
import { clientConfigurations } from '../../access/client-configuration.ts'
import type { EventTypes } from '../../contract/event-types.ts'
import { type Catalogue, resourcePath, resourceTitle } from './catalogue.ts'
import { errorTable } from './error-pages.ts'
import type { GuideWords } from './guides.ts'
import { fence } from './page.ts'
import { referenceLines } from './reference.ts'

const RECEIVERS = new URL('../../../examples/receivers/', import.meta.url)
const LANGUAGES: Record<string, string> = {
  'receiver.mjs': 'javascript Node.js',
  'receiver.py': 'python',
  'receiver.rb': 'ruby',
}

export interface ServiceFacts {
  publicUrl: string
  /** The header of deliveries with the signature of the body alone. */
  signatureHeader: string
}

/** What guides say that is declared elsewhere. */
export function guideWords(facts: ServiceFacts, catalogue: Catalogue, eventTypes: EventTypes): GuideWords {
  return {
    ...facts,
    operationCount: String(catalogue.operations.length),
    clients: clientBlocks(facts.publicUrl),
    receivers: receiverBlocks(),
    errors: errorTable(),
    eventTypes: eventTypeLines(eventTypes),
    reference: referenceLines(catalogue),
  }
}

function clientBlocks(publicUrl: string): string {
  return clientConfigurations(publicUrl)
    .map(({ client, place, text }) => {
      const language = place === 'a terminal' ? 'bash' : `json ${place}`
      return `### ${client}\n\n${fence(language, text)}`
    })
    .join('\n\n')
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
