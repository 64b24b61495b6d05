-- online
-- The rights `social.read` and `social.write` became those to content. Plans that wait for a decision name the rights that they need.
-- repeat
update program_plans
set needs = replace(replace(needs, '"social.read"', '"content.read"'), '"social.write"', '"content.write"')
where (account_id, id) in (
  select account_id, id from program_plans where state = 'open' and needs like '%"social.%' limit 500
);
