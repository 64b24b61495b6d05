-- online
-- Domains of sites that were verified once are looked up again from now on, as those of shops are. The first look is in an hour,
-- when no process of the version before takes it.
-- repeat
insert into jobs (account_id, id, name, lane, payload, state, attempts, run_at, created_at)
select account_id, 'job_' || substr(id, 8), 'site.check_domain', 'outside',
  '{"site":"' || id || '","check":' || domain_checks || ',"since":"' || updated_at || '"}', 'due', 0,
  to_char(now() at time zone 'utc' + interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), updated_at
from sites
where verified_domain is not null
  and not exists (select 1 from jobs where jobs.account_id = sites.account_id and jobs.id = 'job_' || substr(sites.id, 8))
limit 100;
