import type { OperationAnswer, OperationRequest } from '../pipeline/request.ts'
import { type MailProvider, MailRefusedError } from '../providers/mail/provider.ts'
import type { Services } from '../records/services.ts'
import type { Measures } from './monitor.ts'

type RunOperation = (request: OperationRequest) => Promise<OperationAnswer>

/** Measures the calls within Ruby programs, which count as requests with a transport of their own. */
export function measuredCalls(run: RunOperation, measures: Measures | null): RunOperation {
  if (!measures) return run
  return async (request) => {
    const began = performance.now()
    const answer = await run(request)
    const operation = answer.operationId ?? 'none'
    measures.request({ transport: 'program', operation }, answer.status, performance.now() - began)
    return answer
  }
}

export function withMeasuredMail(services: Services, measures: Measures | null): Services {
  if (!measures) return services
  const { mail } = services
  return {
    ...services,
    mail: { ...mail, providerFor: (account) => measured(mail.providerFor(account), measures) },
  }
}

function measured(provider: MailProvider, measures: Measures): MailProvider {
  return {
    ...provider,
    check: () => provider.check(),
    close: () => provider.close(),
    async send(message, signal) {
      try {
        await provider.send(message, signal)
        measures.mail('sent')
      } catch (error) {
        measures.mail(error instanceof MailRefusedError ? 'refused' : 'failed')
        throw error
      }
    },
  }
}
