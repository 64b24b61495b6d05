-- Domains of sites that were verified once are looked up again from now on, as those of shops are.
insert into jobs (account_id, id, name, lane, payload, state, attempts, run_at, created_at)
select account_id, 'job_' || substr(id, 8), 'site.check_domain', 'outside',
  '{"site":"' || id || '","check":' || domain_checks || ',"since":"' || updated_at || '"}', 'due', 0, updated_at, updated_at
from sites where verified_domain is not null;
