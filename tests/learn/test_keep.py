"""The files for TensorBoard are, byte for byte, what its own writer makes."""

import struct

from pitboss.learn.keep import EventFile

# tensorboard 2.21: RecordWriter(file).write(Event(wall_time=5, step=300, summary=Summary(value=[
#     Summary.Value(tag="a b", simple_value=0.5)])).SerializeToString())
THEIRS = "1a00000000000000129bd82d09000000000000144010ac022a0c0a0a0a03612062150000003fdf38c08d"


def test_a_record_is_tensorboards(tmp_path, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 5.0)
    file = EventFile(tmp_path / "runs")
    begun = file.path.stat().st_size
    file.add(300, {"a b": 0.5})
    whole = file.path.read_bytes()
    assert whole[begun:].hex() == THEIRS
    (length,) = struct.unpack_from("<Q", whole)
    assert b"brain.Event:2" in whole[12 : 12 + length]
