/** The state after an action; `same` where it answers 200 and changes no state, `refused` where it is 400 `invalid_state`. */
type Outcome = string

/** By state, then by action. A state may have variants, written after a comma: `active, ending`. */
export type StateTable = Record<string, Record<string, Outcome>>

const refused = 'refused'
const same = 'same'
const deleted = 'deleted'

/** What the contract says of each state and action (sections 3, 4, 6 and 7), written by hand. */
export const TABLES: Record<string, StateTable> = {
  product: {
    draft: { 'make draft': 'draft', activate: 'active', archive: 'archived', rename: same, delete: deleted },
    active: { 'make draft': 'draft', activate: 'active', archive: 'archived', rename: same, delete: deleted },
    archived: { 'make draft': 'draft', activate: 'active', archive: 'archived', rename: same, delete: deleted },
  },
  discount: {
    active: { 'switch off': 'inactive', 'switch on': 'active', delete: deleted },
    inactive: { 'switch off': 'inactive', 'switch on': 'active', delete: deleted },
    scheduled: { 'switch off': 'inactive', 'switch on': 'scheduled', delete: deleted },
    expired: { 'switch off': 'inactive', 'switch on': 'expired', delete: deleted },
  },
  file: {
    pending: { confirm: refused, delete: deleted },
    'pending, with bytes': { confirm: 'ready', delete: deleted },
    processing: { confirm: refused, delete: deleted },
    ready: { confirm: same, delete: deleted },
    'ready, outside': { confirm: refused, delete: deleted },
    failed: { confirm: refused, delete: deleted },
  },
  order: {
    pending: { 'refund a part': refused, 'refund all': refused },
    succeeded: { 'refund a part': 'partially_refunded', 'refund all': 'refunded' },
    'succeeded, free': { 'refund a part': refused, 'refund all': refused },
    failed: { 'refund a part': refused, 'refund all': refused },
    partially_refunded: { 'refund a part': 'partially_refunded', 'refund all': 'refunded' },
    refunded: { 'refund a part': refused, 'refund all': refused },
    disputed: { 'refund a part': refused, 'refund all': refused },
  },
  checkout: {
    open: { update: same },
    complete: { update: refused },
    abandoned: { update: refused },
    expired: { update: refused },
  },
  invoice: {
    open: { void: 'void' },
    past_due: { void: 'void' },
    paid: { void: 'void' },
    void: { void: same },
  },
  subscription: {
    active: { cancel: same, 'cancel at once': 'canceled', pause: 'paused', resume: refused },
    'active, ending': { cancel: refused, 'cancel at once': 'canceled', pause: refused, resume: same },
    trialing: { cancel: same, 'cancel at once': 'canceled', pause: 'paused', resume: refused },
    'trialing, ending': { cancel: refused, 'cancel at once': 'canceled', pause: refused, resume: same },
    past_due: { cancel: 'canceled', 'cancel at once': 'canceled', pause: refused, resume: refused },
    unpaid: { cancel: 'canceled', 'cancel at once': 'canceled', pause: refused, resume: refused },
    incomplete: { cancel: 'canceled', 'cancel at once': 'canceled', pause: refused, resume: refused },
    paused: { cancel: 'canceled', 'cancel at once': 'canceled', pause: refused, resume: 'active' },
    canceled: { cancel: refused, 'cancel at once': refused, pause: refused, resume: refused },
  },
  webhook_endpoint: {
    active: { test: same, disable: 'disabled', enable: 'active', delete: deleted },
    disabled: { test: refused, disable: 'disabled', enable: 'active', delete: deleted },
  },
  form: {
    active: { archive: 'archived', restore: refused, submit: same, update: same, delete: deleted },
    archived: { archive: refused, restore: 'active', submit: refused, update: same, delete: deleted },
  },
  task_run: {
    pending: { run: 'running', complete: refused, fail: refused, ask: refused, cancel: 'canceled' },
    running: { run: refused, complete: 'completed', fail: 'failed', ask: 'needs_input', cancel: 'canceled' },
    needs_input: { run: 'running', complete: refused, fail: 'failed', ask: refused, cancel: 'canceled' },
    completed: { run: refused, complete: refused, fail: refused, ask: refused, cancel: refused },
    failed: { run: refused, complete: refused, fail: refused, ask: refused, cancel: refused },
    canceled: { run: refused, complete: refused, fail: refused, ask: refused, cancel: refused },
  },
  event_source: {
    active: { delete: deleted },
    error: { delete: deleted },
  },
  formation: {
    awaiting_payment: { submit: refused, retry_payment: same },
    pending: { submit: 'submitted', retry_payment: refused },
    submitted: { submit: same, retry_payment: refused },
    completed: { submit: same, retry_payment: refused },
    failed: { submit: 'submitted', retry_payment: refused },
    'failed, unpaid': { submit: refused, retry_payment: 'awaiting_payment' },
    'failed, refunded': { submit: refused, retry_payment: refused },
  },
  ai_site: {
    queued: { update: same, delete: deleted },
    building: { update: same, delete: deleted },
    live: { update: same, delete: deleted },
    failed: { update: same, delete: deleted },
  },
  social_account: {
    pending: {
      reconnect: same,
      'reconnect with credentials': 'connected',
      sync: refused,
      update: same,
      delete: deleted,
    },
    connected: {
      reconnect: same,
      'reconnect with credentials': 'connected',
      sync: same,
      update: same,
      delete: deleted,
    },
    expired: {
      reconnect: 'pending',
      'reconnect with credentials': 'connected',
      sync: refused,
      update: same,
      delete: deleted,
    },
    error: {
      reconnect: 'pending',
      'reconnect with credentials': 'connected',
      sync: refused,
      update: same,
      delete: deleted,
    },
    disconnected: {
      reconnect: refused,
      'reconnect with credentials': refused,
      sync: refused,
      update: same,
      delete: deleted,
    },
  },
  social_post: {
    draft: {
      ...{ update: same, schedule: 'scheduled', unschedule: refused, publish: 'published' },
      ...{ retry: refused, duplicate: same, delete: deleted },
    },
    scheduled: {
      ...{ update: same, schedule: 'scheduled', unschedule: 'draft', publish: 'published' },
      ...{ retry: refused, duplicate: same, delete: deleted },
    },
    publishing: {
      ...{ update: refused, schedule: refused, unschedule: refused, publish: refused },
      ...{ retry: refused, duplicate: same, delete: refused },
    },
    published: {
      ...{ update: refused, schedule: refused, unschedule: refused, publish: refused },
      ...{ retry: refused, duplicate: same, delete: deleted },
    },
    partially_failed: {
      ...{ update: refused, schedule: refused, unschedule: refused, publish: refused },
      ...{ retry: 'published', duplicate: same, delete: deleted },
    },
    failed: {
      ...{ update: refused, schedule: 'scheduled', unschedule: refused, publish: 'published' },
      ...{ retry: 'published', duplicate: same, delete: deleted },
    },
  },
  social_comment: {
    visible: { hide: 'hidden', unhide: 'visible', like: same, unlike: same, reply: same, delete: deleted },
    hidden: { hide: 'hidden', unhide: 'visible', like: same, unlike: same, reply: same, delete: deleted },
    'visible, our own': { hide: refused, unhide: same, like: same, unlike: same, reply: same, delete: deleted },
  },
}
