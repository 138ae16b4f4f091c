/* Every part of the declarations, as a program in TypeScript uses it; it is compiled and not run. */
import {
    checkSampler, checkSlerp, instantiate, load, RetroposeError, ulpsBetween,
    type Agreement, type Finding, type Model, type Retropose, type Sampler, type Status,
} from 'retropose';

export async function use(bytes: Uint8Array, module: WebAssembly.Module): Promise<number> {
    const retropose: Retropose = instantiate(module);
    const other: Retropose = await load(new URL('file:///retropose.wasm'));
    const archive = retropose.openArchive(bytes, { mode: 'strict' });
    const names: string[] = [...archive].map((member) => `${member.name} ${member.typeName} ${member.attributes[2]}`);
    const model: Model = retropose.openModel(archive.member(0), { readings: { uv: 'unsigned' }, build: 'sse' });
    const findings: Finding[] = model.check();
    const matrices: Float32Array = model.skeleton.pose(1, 2, 0.5, null, { space: 'local' });
    const batch = model.skeleton.batch(4);
    batch.times[0] = 1;
    batch.pose();
    const object = model.createObject();
    object.setFlags(object.attach(model, { piece: 1 }), ['own', 'hidden']);
    const distance: number | undefined = object.segment([0, 0, 0], [1, 1, 1])?.distance;
    const mesh = model.slotMesh(model.slot(0, model.cellFor({ level: 1, stage: 0 }) ?? 0));
    const glb: Uint8Array = model.exportGlb({ cells: [0], rootMotion: 'drop' }).bytes;
    const back = retropose.importGltf(glb, { onto: { archive, member: 'a.msh' } });
    const ani = retropose.openAni(back.bytes);
    const scale: Float32Array | null = ani.sampleParts(0, 10).scale;
    const motion = retropose.openAcMotionTable(bytes).createMotion([retropose.openAcAnimation(bytes)]);
    const events = motion.tick(0.1).events.map((event) => (event.event === 'hook' ? event.hook.name : event.event));
    const sampler: Sampler = (skeleton, time) => retropose.math.sample(skeleton, time);
    const agreement: Agreement = checkSampler(retropose.openTrace(bytes), sampler, { ulps: 2 });
    const slerps: Agreement = checkSlerp(other.openTrace(bytes), (q0) => q0);
    const status: Status = new RetroposeError('invalid', 'nothing').status;
    for (const one of [archive, model, batch, object, ani, motion]) one.close();
    // @ts-expect-error: there is no such mode
    retropose.openArchive(bytes, { mode: 'lenient' });
    // @ts-expect-error: a time is a number
    model.skeleton.pose('1');
    // @ts-expect-error: nothing of the library can be assigned to
    model.nodeCount = 3;
    return names.length + findings.length + matrices.length + (distance ?? 0) + mesh.triangleCount + (scale?.length ?? 0)
        + events.length + agreement.far + slerps.near + status.length + ulpsBetween(1, 2);
}
