/** Why events are refused, by code: what it means, and what helps. */
export const reasonsEn = {
  too_large: 'It is larger than 256 KiB. Its publisher has to send a smaller one.',
  not_json: 'It is no JSON. Its publisher has to send it again.',
  framed: 'A schema registry has put its header before the JSON. Its publisher has to send plain JSON.',
  too_deep: 'It is nested too deep. Its publisher has to send it again.',
  bad_envelope: 'Its envelope is incomplete or wrong. Its publisher has to send it again.',
  key_mismatch: 'The key of its record is not its subject. Its publisher has to send it again.',
  unknown_type: 'Nobody reads this type.',
  unknown_version: 'This release does not know its version. Deploy the release that does, then redrive.',
  wrong_topic: 'Its type belongs on another topic. Its publisher has to send it there.',
  bad_data:
    'A field is not what the contract says. Its publisher has to send a corrected one; if the contract was wrong, redrive after the fix.',
  from_the_future: 'Something in it was observed after the event. Its publisher has to set a clock right.',
  upcast_failed:
    'Its older form could not be brought to the newest one. Fix that in the release, then redrive.',
  unreadable: 'What stands in the log cannot be read. Restore the log, then redrive.',
  fold_failed: 'It is valid, and our fold failed. Fix that in the release, then redrive.',
};
