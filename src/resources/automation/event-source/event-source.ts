import { z } from 'zod'
import {
  integer,
  longText,
  oneOf,
  structure,
  text,
  timestamp,
  webAddress,
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

const MAX_NAME = 200
/** Higher than the number of fields in any provider's config_schema. */
const MAX_CONFIG_KEYS = 50
export const MAX_ERROR = 500

export const EventSource = noun('event_source', {
  prefix: 'evsrc',
  group: 'EventSources',
  area: 'automation',
  description: 'An external system, feed or schedule whose events start the tasks connected to it.',
  gist: 'what starts tasks',
  events: ['created', 'deleted'],
  eventsStayInside: true,
  notInEvents: ['ingest_url'],
  hidden: {
    sealed_secrets: text('The secrets of its configuration, encrypted').nullable('none'),
    failure_count: integer('Number of failed polls since the last success').default(0),
    job: text('Job of its next poll or time').nullable('none'),
  },
  fields: {
    provider: text('Provider of its events; GET /event_sources/discover lists them', {
      max: 50,
      example: 'webhook',
    }).required(),
    event_type: text('Type of event that starts tasks, one of the provider’s event_types', {
      max: 50,
      example: 'received',
    }).required(),
    name: text('Display name', { max: MAX_NAME, example: 'Orders of the old shop' }).nullable('none'),
    config: structure(
      'object',
      // The provider defines the fields of the configuration.
      z.record(z.string(), z.unknown()),
      'Configuration that matches the provider’s config_schema; secrets are shown as null',
      {},
      { max: MAX_CONFIG_KEYS },
    ).default({}),
    status: oneOf(
      ['active', 'error'],
      'active: its events start tasks; error: the last poll failed and will be retried',
    ).readOnly(),
    ingest_url: webAddress(
      'Secret URL to which external systems POST their events as JSON',
      'https://shop.example/ingest/evsrc_01k9z6v8q2f3x7c5m1n4b0r8ta/capability',
    )
      .nullable('its provider takes no requests, or the caller may not write')
      .derived(),
    last_event_at: timestamp('When its last event happened').nullable('never').readOnly(),
    error_message: longText('Reason for the failure', MAX_ERROR, 'The address answered 404.')
      .nullable('status is active')
      .readOnly(),
  },
})

export type EventSourceRow = Row<typeof EventSource>
