/** Subdomains that this service uses, or that could be mistaken for its own. Accounts and sites cannot use them. */
const RESERVED = new Set(
  [
    'www www1 www2 web app apps api admin administrator root system console dashboard panel manage portal internal',
    'account accounts user users member members me profile login logout signin sign-in signup sign-up register',
    'auth oauth oauth2 sso id identity password verify connect mcp authorize token tokens',
    'pay payment payments checkout billing invoice invoices order orders cart buy store wallet stripe',
    'mail email smtp imap pop pop3 mx mailer newsletter bounce autoconfig autodiscover webmail',
    'postmaster hostmaster webmaster abuse security noreply no-reply support help helpdesk contact',
    'docs documentation developer developers status health metrics monitoring blog news about legal terms privacy',
    'static assets cdn media img images files download downloads upload uploads public',
    'ftp sftp ssh vpn dns ns ns1 ns2 ns3 ns4 proxy gateway server host localhost localdomain',
    'dev develop development stage staging sandbox test testing demo preview beta prod production',
    'hook hooks webhook webhooks ingest events jobs cron shopwright official team staff',
  ].flatMap((line) => line.split(' ')),
)

export function isReserved(subdomain: string): boolean {
  return RESERVED.has(subdomain)
}

export const RESERVED_PROBLEM = 'is reserved for the service; choose another'
