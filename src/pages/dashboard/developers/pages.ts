import type { DashboardPage } from '../kit/page.ts'
import { delivery, resendDelivery } from './delivery.ts'
import { endpoint } from './endpoint.ts'
import { event, events } from './events.ts'
import { newEndpoint } from './new-endpoint.ts'
import { request, requests } from './requests.ts'
import { deleteToken, developers, tokens } from './tokens.ts'
import { ENDPOINT_REDIRECTS, webhooks } from './webhooks.ts'

/** Pages for developers. */
export const DEVELOPERS: DashboardPage[] = [
  developers,
  tokens,
  deleteToken,
  webhooks,
  newEndpoint,
  endpoint,
  delivery,
  resendDelivery,
  events,
  event,
  requests,
  request,
  ...ENDPOINT_REDIRECTS,
]
