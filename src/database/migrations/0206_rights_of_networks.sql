-- The rights `social.read` and `social.write` became those to content. Plans that wait for a decision name the rights that they need.
update program_plans
set needs = replace(replace(needs, '"social.read"', '"content.read"'), '"social.write"', '"content.write"')
where state = 'open' and needs like '%"social.%';
