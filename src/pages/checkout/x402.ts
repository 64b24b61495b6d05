import { html } from 'hono/html'
import { X402_CHAINS } from '../../contract/values/x402-chains.ts'
import type { X402Requirements } from '../../resources/company/x402_configuration/x402_configuration.ts'
import { formatDecimal } from '../../words/numbers.ts'
import { factList, type Page } from '../parts/markup.ts'

const USDC_UNITS = 1_000_000

/** What a program signs to pay this order in USDC, to be read and copied. */
export function x402Part(requirements: X402Requirements): Page {
  const rows = requirements.accepts.map(({ amount, network, asset, payTo }) =>
    factList('payment-terms', [
      ['Amount', `${dollars(amount)} USDC`],
      ['Network', html`<code>${network}</code>`],
      ['USDC contract', html`<code>${asset}</code>`],
      ['Shop wallet', html`<code>${payTo}</code>`],
    ]),
  )
  return html`<details class="x402"><summary>For programs: pay in USDC with x402</summary>
<p class="hint">A program that asks this page’s address for anything but HTML is answered 402 with these terms. It signs them with the x402 protocol, version 2, and asks again with the header <code>PAYMENT-SIGNATURE</code>. USDC that you send to the wallet manually does not pay this order. ${worthOf(requirements)}</p>
${rows}
<pre tabindex="0" role="region" aria-label="x402 payment requirements, version ${requirements.x402Version}"><code>${JSON.stringify(requirements, null, 2)}</code></pre>
</details>`
}

/** Beside test cards, too, the dollars may be real. */
function worthOf({ accepts }: X402Requirements): string {
  const isTest = accepts.every(({ network }) => network === X402_CHAINS['base-sepolia'].network)
  return isTest ? 'USDC on this network is for tests and worth nothing.' : 'USDC on this network is real money.'
}

/** `29050000` is 29.05; whole cents, always with both of their digits. */
function dollars(units: string): string {
  return formatDecimal(Number(units) / USDC_UNITS, 2)
}
