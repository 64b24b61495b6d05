import { inDays } from '../support/social.ts'

/** A request that acts on a row: the operation, and what its body says. */
export interface Action {
  operation: string
  body?: Record<string, unknown>
  /** Where the body, not the path, says which row it is about. */
  names?: string
}

/** An action of an operation's own name: `cancel` is `cancel_subscription`. */
const own = (noun: string, ...names: string[]): Record<string, Action> =>
  Object.fromEntries(names.map((name) => [name, { operation: `${name}_${noun}` }]))

/** How the actions of the tables are done. */
export const ACTIONS: Record<string, Record<string, Action>> = {
  product: {
    'make draft': { operation: 'update_product', body: { status: 'draft' } },
    activate: { operation: 'update_product', body: { status: 'active' } },
    archive: { operation: 'update_product', body: { status: 'archived' } },
    rename: { operation: 'update_product', body: { name: 'Another name' } },
    ...own('product', 'delete'),
  },
  discount: {
    'switch off': { operation: 'update_discount', body: { status: 'inactive' } },
    'switch on': { operation: 'update_discount', body: { status: 'active' } },
    ...own('discount', 'delete'),
  },
  file: { confirm: { operation: 'confirm_file_upload' }, ...own('file', 'delete') },
  order: {
    'refund a part': { operation: 'create_refund', body: { amount: 1 }, names: 'order' },
    'refund all': { operation: 'create_refund', names: 'order' },
  },
  checkout: { update: { operation: 'update_checkout', body: { success_url: 'https://shop.example/thanks' } } },
  invoice: own('invoice', 'void'),
  subscription: {
    ...own('subscription', 'cancel', 'pause', 'resume'),
    'cancel at once': { operation: 'cancel_subscription', body: { immediately: true } },
  },
  webhook_endpoint: {
    ...own('webhook_endpoint', 'test', 'delete'),
    disable: { operation: 'update_webhook_endpoint', body: { status: 'disabled' } },
    enable: { operation: 'update_webhook_endpoint', body: { status: 'active' } },
  },
  form: {
    ...own('form', 'archive', 'restore', 'delete'),
    submit: { operation: 'create_form_submission', body: { email: 'visitor@example.com' }, names: 'form_id' },
    update: { operation: 'update_form', body: { name: 'Another name' } },
  },
  task_run: {
    run: { operation: 'update_task_run', body: { status: 'running', input: 'The newsletter.' } },
    complete: { operation: 'update_task_run', body: { status: 'completed', summary: 'Done.' } },
    fail: { operation: 'update_task_run', body: { status: 'failed', error_message: 'No list.' } },
    ask: { operation: 'update_task_run', body: { status: 'needs_input', question: 'Which list?' } },
    cancel: { operation: 'update_task_run', body: { status: 'canceled' } },
  },
  event_source: own('event_source', 'delete'),
  formation: {
    submit: { operation: 'submit_formation' },
    retry_payment: { operation: 'retry_formation_payment' },
  },
  ai_site: { update: { operation: 'update_ai_site', body: { name: 'Another name' } }, ...own('ai_site', 'delete') },
  social_account: {
    ...own('social_account', 'reconnect', 'sync'),
    'reconnect with credentials': {
      operation: 'reconnect_social_account',
      body: { credentials: { token: 'works' } },
    },
    update: { operation: 'update_social_account', body: { label: 'Main' } },
    delete: { operation: 'disconnect_social_account' },
  },
  social_post: {
    ...own('social_post', 'unschedule', 'publish', 'retry', 'duplicate', 'delete'),
    update: { operation: 'update_social_post', body: { content: 'Other words' } },
    schedule: { operation: 'schedule_social_post', body: { scheduled_at: inDays(5) } },
  },
  social_comment: {
    ...own('social_comment', 'hide', 'unhide', 'like', 'unlike', 'delete'),
    reply: { operation: 'reply_to_social_comment', body: { content: 'Thank you!' } },
  },
}
