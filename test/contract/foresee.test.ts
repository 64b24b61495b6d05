import { expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'

const { dashboard, shop } = PRODUCT

/** Jobs that reach outside and only look, prepare, or clean up: nobody hears of them, and no money moves. */
const UNNOTICED = [
  'cancel_webhook_events',
  'import_file',
  'card_change.look_up',
  'payment.abandon',
  'payment.look_again',
  'payment.look_up',
  'payment.settle',
  'payment.take_back',
  'payment_connection.inspect',
  'poll_event_source',
  'remove_file_bytes',
  'site.check_address',
  'site.remove_builds',
  'account.verify_domain',
  'site.check_domain',
  'site.verify_domain',
  'social_account.check_access',
  'social_account.revoke',
  'social_account.sync',
]
/** Jobs that no operation of the catalogue leaves: people ask for them in the dashboard, or other jobs and clocks do. */
const NOT_OF_PROGRAMS = [
  'card_change.ask',
  'customer.mail_address_link',
  'customer.mail_buyer_link',
  'dispute.respond',
  'export_account',
  'continue_background_program',
  'end_unclaimed_run',
  'form_submission.ask_to_confirm',
  'form_submission.notify',
  'invitation.mail',
  'letter.write_to_team',
  'pass_event_source_time',
  'payment.hand_in',
  'payment_connection.tell_of_refusal',
  'plans_wait',
  'subscription.tell_of_charge',
  'task_plan_decided',
  'user.mail_password_link',
]

it('every job that writes to somebody or works outside says beforehand what it does', () => {
  const jobs = [...shop, ...dashboard].flatMap((resource) => resource.jobs)
  const reaching = jobs.filter(({ lane, emits }) => lane !== 'due' || emits.includes('email.created'))
  const silent = reaching.filter(({ foresee }) => foresee === undefined).map(({ name }) => name)
  expect(silent.toSorted()).toEqual([...UNNOTICED, ...NOT_OF_PROGRAMS].toSorted())
})
