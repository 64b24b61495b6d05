import type { DashboardPage } from '../kit/visit.ts'
import { connections } from './connections.ts'
import { delivery, resendDelivery } from './delivery.ts'
import { endpoint } from './endpoint.ts'
import { event, events } from './events.ts'
import { newEndpoint } from './new-endpoint.ts'
import { request, requests } from './requests.ts'
import { deleteToken, developers, tokens } from './tokens.ts'
import { webhooks } from './webhooks.ts'

export const DEVELOPERS: DashboardPage[] = [
  developers,
  tokens,
  deleteToken,
  ...connections,
  webhooks,
  newEndpoint,
  endpoint,
  delivery,
  resendDelivery,
  events,
  event,
  requests,
  request,
  // The pages with these paths replace the derived pages.
  { ...webhooks, path: '/webhook_endpoints' },
  { ...newEndpoint, path: '/webhook_endpoints/new' },
  { ...endpoint, path: '/webhook_endpoints/:id' },
  { ...tokens, path: '/api_tokens/new', see: 'self.token' },
]
