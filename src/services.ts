import { vaultOf } from './access/vault.ts'
import { builderByTask } from './building/by-task.ts'
import type { Settings } from './config.ts'
import { domainRecords } from './dns/resolver.ts'
import { signedSender } from './events/signed-sender.ts'
import { createFiles } from './files/files.ts'
import { createFilings } from './filing/filings.ts'
import { createMail } from './mail/mail.ts'
import { createPayments } from './payments/payments.ts'
import type { Programs } from './programs/provider.ts'
import type { Services } from './records/services.ts'
import { createSocial } from './social/social.ts'
import { createSources } from './sources/sources.ts'
import { type Storage, UNCOUNTED } from './storage/room.ts'
import type { RunProgram } from './tasks/ruby.ts'
import { createRunners } from './tasks/runners.ts'
import { createWeb } from './web/web.ts'

/** How a server runs programs. */
export interface ProgramRunners {
  /** Those of tasks. */
  runProgram: RunProgram
  /** Those of people in the dashboard. */
  programs: Programs
}

/** The adapters that the settings choose. Only a server runs programs, and counts what accounts store. */
export function createServices(
  settings: Settings,
  secret: string,
  { runProgram, programs }: ProgramRunners = NOT_HERE,
  storage: Storage = UNCOUNTED,
): Services {
  const web = createWeb(settings)
  const pretending = mayPretend(settings)
  return {
    payments: createPayments(settings),
    mail: createMail(settings),
    files: createFiles(settings),
    social: createSocial({ pretending }),
    web,
    webhooks: signedSender(web.webhooks, {
      timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
    }),
    sources: createSources(),
    filings: createFilings(settings, pretending),
    builder: builderByTask,
    domains: domainRecords(settings.DNS_SERVERS),
    tasks: createRunners(runProgram),
    programs,
    vault: vaultOf(secret),
    monthlyCredits: settings.MONTHLY_CREDITS,
    storage,
  }
}

/** Whether providers that only pretend serve live accounts. */
export function mayPretend({ SANDBOX_PROVIDERS, NODE_ENV }: Pick<Settings, 'SANDBOX_PROVIDERS' | 'NODE_ENV'>): boolean {
  return SANDBOX_PROVIDERS ?? NODE_ENV !== 'production'
}

const notHere = () => Promise.reject(new Error('Programs are run by the server.'))

const NOT_HERE: ProgramRunners = { runProgram: notHere, programs: { search: notHere, execute: notHere } }
