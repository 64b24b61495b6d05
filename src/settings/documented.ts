import { type Settings, settingMeanings } from './config.ts'

/** Returns the settings of this service that the documentation mentions. */
export function documentedSettings(settings: Settings) {
  return {
    signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    rateBurst: settings.RATE_LIMIT_BURST,
    slowPerMinute: settings.RATE_LIMIT_SLOW_PER_MINUTE,
    webhookTimeoutSeconds: settings.WEBHOOK_TIMEOUT_SECONDS,
    webhookRetryGaps: settings.WEBHOOK_RETRY_GAPS,
    settings: settingMeanings(),
  }
}
