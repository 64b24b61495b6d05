# Acts on everything that was chosen in a list, or on nothing.
step = data["step"]
data["chosen"].each do |id|
  path = "#{data["list"]}/#{id}#{step["below"]}"
  case step["method"]
  when "post" then post(path, step["body"])
  when "patch" then patch(path, step["body"])
  when "delete" then delete(path)
  when "resend" then resend(id)
  when "charge_now" then charge_now(id)
  end
end
"#{data["chosen"].size} chosen"
